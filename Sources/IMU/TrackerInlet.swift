import Foundation
import Geometry
import Synchronization

/// One tracker, listened to: samples are handed on as they arrive.
///
/// Any thread may call its methods. `receive` runs on the transport's own thread, one call at a time; keep it short.
/// What is remembered of a tracker (mounting, bias) is looked up as soon as it is known which one it is, and handed to
/// `recognise` before its first sample.
package final class TrackerInlet: Sendable {
    /// A tracker that was recognised, and what is remembered of it.
    package struct Recognition: Sendable {
        /// The name under which it is remembered.
        package let id: String
        /// Its gyroscope's bias as a prior, in the axes of its samples; `nil` where none is remembered.
        package let bias: GyroscopeBias?
    }

    /// What the user asked for.
    package let specification: TrackerSpecification
    private let clock: @Sendable () -> Double
    private let memory: TrackerMemory?
    private let recognise: @Sendable (Recognition) -> Void
    private let complain: @Sendable (String) -> Void
    private let receive: @Sendable (TrackerSample) -> Void
    private let transport: (any TrackerTransport)?
    private let state: Mutex<State>
    private let watch = Mutex<Task<Void, Never>?>(nil)

    /// The receiver, and which tracker it was last found to hear.
    private struct State {
        var receiver: TrackerReceiver
        var recognised: String?
        /// When the tracker was last told its opening, or last heard; seconds.
        var patienceBegan = 0.0
        /// Hears it in its own axes.
        var hearsOwn: (@Sendable (TrackerSample) -> Void)?
    }

    /// An inlet that is not yet open.
    ///
    /// - Parameters:
    ///   - clock: seconds of the host's monotonic clock.
    ///   - transport: what carries the bytes; `nil`: what the specification says. MIDI needs one from `AudioIO`.
    ///   - memory: where mountings and biases are remembered; `nil`: nowhere.
    ///   - recognise: told which tracker it is, once known, and again if another takes its place.
    ///   - complain: told in plain words when what is remembered cannot be read or written.
    ///   - receive: given every sample.
    package init(
        _ specification: TrackerSpecification, clock: @escaping @Sendable () -> Double,
        transport: (any TrackerTransport)? = nil, memory: TrackerMemory? = nil,
        recognise: @escaping @Sendable (Recognition) -> Void = { _ in },
        complain: @escaping @Sendable (String) -> Void = { _ in },
        receive: @escaping @Sendable (TrackerSample) -> Void
    ) {
        self.specification = specification
        self.clock = clock
        self.memory = memory
        self.recognise = recognise
        self.complain = complain
        self.receive = receive
        self.transport = transport ?? specification.transport(clock: clock)
        state = Mutex(
            State(
                receiver: TrackerReceiver(
                    specification.makeDecoder(), mounting: specification.mounting?.rotation ?? .identity,
                    inversion: specification.inversion, latency: specification.latency,
                    trustsSender: specification.trustsSender, format: specification.format)))
    }

    /// What came and what was dropped, so far.
    package var health: TrackerHealth { state.withLock { $0.receiver.health } }

    /// How the tracker sits: its own axes to those of its samples.
    package var mounting: Rotation<Tracker, Body> { state.withLock { $0.receiver.mounting } }

    /// The name under which the tracker is remembered.
    package var id: String { specification.id ?? health.identity ?? specification.fallbackID }

    /// The UDP port in use, once open; `nil` for trackers without one.
    package var localPort: Int? { transport?.localPort }

    /// Opens the tracker. A recording is read whole before the first sample is handed on.
    package func start() async throws(TrackerError) {
        guard let transport else {
            if case .midi = specification.source {
                throw .midi("MIDI is heard through JACK, which nothing here brings along")
            }
            return
        }
        let began = clock()
        state.withLock { $0.patienceBegan = began }
        try await transport.start { [weak self] event in self?.take(event) ?? [] }
        watch.withLock { $0 = Task.detached { [weak self] in await self?.watchForSilence() } }
    }

    /// Closes the tracker; nothing is handed on afterwards.
    package func stop() async {
        watch.withLock { task in
            task?.cancel()
            task = nil
        }
        await transport?.stop()
        state.withLock { $0.receiver.close() }
    }

    /// Has every sample told in the tracker's own axes too, with no mounting and no inversion, on the transport's
    /// thread; nil: to none any more.
    package func hearOwn(_ hears: (@Sendable (TrackerSample) -> Void)?) {
        state.withLock {
            $0.hearsOwn = hears
            $0.receiver.keepsOwn = hears != nil
        }
    }

    /// Takes a mounting that was found into use, and remembers it with the bias that was found, for the next time.
    ///
    /// - Parameter time: seconds since 1970.
    /// - Returns: the bias in the axes of the samples from now on; nil for trackers that fuse by themselves.
    /// - Throws: where it cannot be written; it is in use nevertheless.
    package func remount(
        _ found: MountingCalibration.Result, at time: Double
    ) throws(TrackerError) -> GyroscopeBias? {
        state.withLock { $0.receiver.mounting = found.mounting }
        let q = found.mounting.quaternion
        try memory?.update(id, complaint: complain) { entry in
            entry.mounting = [q.w, q.x, q.y, q.z]
            if let bias = found.bias { entry.bias = TrackerMemory.Bias(bias, measured: time) }
        }
        return found.bias?.turned(by: q)
    }

    /// Remembers how the tracker sits, from now on and for the next time.
    package func remember(mounting: Rotation<Tracker, Body>) throws(TrackerError) {
        state.withLock { $0.receiver.mounting = mounting }
        let q = mounting.quaternion
        try memory?.update(id, complaint: complain) { $0.mounting = [q.w, q.x, q.y, q.z] }
    }

    /// Remembers the gyroscope's bias, given in the axes of the samples. `time`: seconds since 1970.
    package func remember(bias: GyroscopeBias, at time: Double) throws(TrackerError) {
        let own = bias.turned(by: mounting.quaternion.conjugate)
        try memory?.update(id, complaint: complain) { $0.bias = TrackerMemory.Bias(own, measured: time) }
    }

    /// Whether a bias that was learnt is worth keeping: known to 0.1°/s on every axis, of a tracker and no recording.
    private func isWorthKeeping(_ bias: GyroscopeBias) -> Bool {
        if case .file = specification.source { return false }
        return bias.deviation.max() <= 0.1 * Double.pi / 180
    }

    /// What is remembered of the tracker, with the bias that was learnt since, if it is worth that;
    /// `nil` where nothing is.
    package func known(with bias: GyroscopeBias?) -> TrackerMemory.Entry? {
        var entry = memory?.entry(for: id) ?? TrackerMemory.Entry()
        if let bias, isWorthKeeping(bias) {
            let own = bias.turned(by: mounting.quaternion.conjugate)
            entry.bias = TrackerMemory.Bias(own, measured: Date().timeIntervalSince1970)
        }
        return entry == TrackerMemory.Entry() ? nil : entry
    }

    /// Remembers what was learnt of the gyroscope's bias while it was used, if it is worth that. Called when all is
    /// over; what cannot be written is said and forgotten.
    package func rememberLearnt(_ bias: GyroscopeBias?) {
        guard let bias, isWorthKeeping(bias) else { return }
        do throws(TrackerError) {
            try remember(bias: bias, at: Date().timeIntervalSince1970)
        } catch {
            complain(error.description)
        }
    }

    private func take(_ event: TransportEvent) -> [[UInt8]] {
        var samples: [TrackerSample] = [], own: [TrackerSample] = []
        var answers: [[UInt8]] = []
        var unknown: String?
        var hearsOwn: (@Sendable (TrackerSample) -> Void)?
        let now = clock()
        state.withLock { state in
            switch event {
            case .bytes(let bytes, let arrival, let sender):
                (samples, answers) = state.receiver.take(bytes, arrival: arrival, sender: sender)
                if !samples.isEmpty { state.patienceBegan = now }
            case .played(let reading, let time): samples = [state.receiver.take(played: reading, at: time)]
            case .opened:
                state.receiver.note(event)
                answers = state.receiver.opening
                state.patienceBegan = now
            case .lost, .shed: state.receiver.note(event)
            }
            (own, hearsOwn) = (state.receiver.takeOwn(), state.hearsOwn)
            let name = specification.id ?? state.receiver.health.identity ?? specification.fallbackID
            if !samples.isEmpty, state.recognised != name {
                state.recognised = name
                unknown = name
            }
        }
        if let unknown, recall(unknown) { samples = [] }
        for sample in samples { receive(sample) }
        if let hearsOwn { for sample in own { hearsOwn(sample) } }
        return answers
    }

    /// Looks up what is remembered of a tracker, when it is first heard. True where its mounting turned out to be
    /// another than its samples were taken with.
    private func recall(_ id: String) -> Bool {
        let entry = memory?.entry(for: id, complaint: complain)
        let mounting = specification.mounting?.rotation ?? entry?.rotation ?? .identity
        let isOther = state.withLock { state in
            defer { state.receiver.mounting = mounting }
            return state.receiver.mounting != mounting
        }
        let prior = entry?.bias?.prior(at: Date().timeIntervalSince1970)
        recognise(Recognition(id: id, bias: prior?.turned(by: mounting.quaternion)))
        return isOther
    }

    /// Says the opening again after each second without a sample, and after two tries the transport's next speed.
    private func watchForSilence() async {
        var rounds = 0
        while !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(100))
            let now = clock()
            let words: [[UInt8]]? = state.withLock { state in
                guard now - state.patienceBegan >= 1 else { return nil }
                state.patienceBegan = now
                return state.receiver.opening
            }
            guard let words else { continue }
            rounds += 1
            if rounds % 2 == 0, health.received == 0, transport?.tryNext() ?? false { continue }
            if !words.isEmpty { transport?.send(words) }
        }
    }

}

extension GyroscopeBias {
    /// The same bias in turned axes; deviations as of independent axes.
    package func turned(by turn: Quaternion) -> GyroscopeBias {
        var variance = SIMD3<Double>(0, 0, 0)
        for (axis, unit) in [SIMD3<Double>(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)].enumerated() {
            let turned = turn.rotate(unit)
            variance += turned * turned * deviation[axis] * deviation[axis]
        }
        return GyroscopeBias(value: turn.rotate(value), deviation: variance.squareRoot())
    }
}
