import Foundation
import Geometry
import Synchronization

/// Input of one tracker: delivers its samples as they arrive.
///
/// Methods may be called on any thread. `receive` runs on the transport's own thread, one call at a time, and must be
/// short. As soon as a tracker is identified, its stored mounting and bias are looked up. The mounting is applied, and
/// the bias is passed to `recognise`, before the first sample is delivered.
package final class TrackerInlet: Sendable {
    /// An identified tracker, with its stored bias.
    package struct Recognition: Sendable {
        /// Name under which the tracker's calibration is stored.
        package let id: String
        /// Bias of the gyroscope as a prior, in the axes of the samples; `nil` if none is stored.
        package let bias: GyroscopeBias?
        /// Whether the tracker has replaced another one. False if the same tracker states its name after its first
        /// samples.
        package let isReplacement: Bool
    }

    /// The user's specification of the tracker.
    package let specification: TrackerSpecification
    private let clock: @Sendable () -> Double
    private let memory: TrackerMemory?
    private let recognise: @Sendable (Recognition) -> Void
    private let complain: @Sendable (String) -> Void
    private let receive: @Sendable (TrackerSample) -> Void
    private let transport: (any TrackerTransport)?
    private let state: Mutex<State>
    private let watch = Mutex<Task<Void, Never>?>(nil)

    /// The receiver of the tracker's data, and the state of identification and opening.
    private struct State {
        var receiver: TrackerReceiver
        var recognised: String?
        /// Number of replacements of trackers at the last identification.
        var replacements = 0
        /// Time of the last opening messages or of the last sample, whichever is later; seconds of the host's clock.
        var patienceBegan = 0.0
        /// Number of silent seconds since the tracker was opened, or opened again after a loss.
        var rounds = 0
        /// Number of samples received before the tracker was last opened again after a loss; 0 without a loss.
        var receivedBefore = 0
        /// Receiver of the samples in the tracker's own axes; nil if there is none.
        var hearsOwn: (@Sendable (TrackerSample) -> Void)?
    }

    /// Creates an inlet that is not yet open.
    ///
    /// - Parameters:
    /// - clock: seconds of the host's monotonic clock.
    /// - transport: transport of the bytes. Nil uses the transport that the specification names. MIDI needs the
    ///   transport of the module `Trackers`.
    /// - memory: stored mountings and biases; `nil` uses none.
    /// - recognise: called with the identified tracker, and again if its name changes or another tracker replaces it.
    /// - complain: called with a text when stored calibrations cannot be read or written.
    /// - receive: called with every sample.
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

    /// Counts of samples received and dropped so far.
    package var health: TrackerHealth { state.withLock { $0.receiver.health } }

    /// Mounting of the tracker: rotation from its own axes to the axes of its samples.
    package var mounting: Rotation<Tracker, Body> { state.withLock { $0.receiver.mounting } }

    /// Name under which the tracker's calibration is stored.
    package var id: String { specification.id ?? health.identity ?? specification.fallbackID }

    /// UDP port in use, once open; `nil` for trackers without a port.
    package var localPort: Int? { transport?.localPort }

    /// Opens the tracker. A recording is read completely before its first sample is delivered. Throws if the tracker
    /// cannot be opened.
    package func start() async throws(TrackerError) {
        guard let transport else {
            if case .midi = specification.source {
                throw .midi("MIDI trackers need JACK, which this command does not use")
            }
            return
        }
        let began = clock()
        state.withLock { $0.patienceBegan = began }
        try await transport.start { [weak self] event in self?.take(event) ?? [] }
        watch.withLock { $0 = Task.detached { [weak self] in await self?.watchForSilence() } }
    }

    /// Closes the tracker; no sample is delivered afterwards.
    package func stop() async {
        watch.withLock { task in
            task?.cancel()
            task = nil
        }
        await transport?.stop()
        state.withLock { $0.receiver.close() }
    }

    /// Sets a closure that is called with every sample in the tracker's own axes, before mounting and inversion, on the
    /// transport's thread. Nil removes it.
    package func hearOwn(_ hears: (@Sendable (TrackerSample) -> Void)?) {
        state.withLock {
            $0.hearsOwn = hears
            $0.receiver.keepsOwn = hears != nil
        }
    }

    /// Applies a calibrated mounting, and stores it together with the calibrated bias.
    ///
    /// - Parameter time: seconds since 1970.
    /// - Returns: the calibrated bias in the axes of later samples; nil if the calibration found none.
    /// - Throws: an error if the file cannot be written; the mounting is applied nevertheless.
    package func remount(
        _ found: MountingCalibration.Result, at time: Double
    ) throws(TrackerError) -> GyroscopeBias? {
        state.withLock { $0.receiver.mounting = found.mounting }
        let q = found.mounting.quaternion
        try memory?.update(id, complaint: complain) { entry in
            entry.mounting = [q.w, q.x, q.y, q.z]
            if let bias = found.bias { entry.bias = TrackerMemory.Bias(bias, measured: time) }
        }
        return found.bias.map { ofSamples($0) }
    }

    /// Converts a bias of the gyroscope from the tracker's own axes to the axes of the samples, after mounting and
    /// inversion.
    package func ofSamples(_ own: GyroscopeBias) -> GyroscopeBias {
        specification.inversion.applied(to: own.turned(by: mounting.quaternion))
    }

    /// Converts a bias of the gyroscope from the axes of the samples to the tracker's own axes.
    private func ofTracker(_ bias: GyroscopeBias) -> GyroscopeBias {
        specification.inversion.applied(to: bias).turned(by: mounting.quaternion.conjugate)
    }

    /// Applies a mounting and stores it. Throws if the file cannot be written; the mounting is applied nevertheless.
    package func remember(mounting: Rotation<Tracker, Body>) throws(TrackerError) {
        state.withLock { $0.receiver.mounting = mounting }
        let q = mounting.quaternion
        try memory?.update(id, complaint: complain) { $0.mounting = [q.w, q.x, q.y, q.z] }
    }

    /// Stores a bias of the gyroscope, given in the axes of the samples. `time`: seconds since 1970. Throws if the file
    /// cannot be written.
    package func remember(bias: GyroscopeBias, at time: Double) throws(TrackerError) {
        let own = ofTracker(bias)
        try memory?.update(id, complaint: complain) { $0.bias = TrackerMemory.Bias(own, measured: time) }
    }

    /// Returns whether a learnt bias should be stored: its deviation is at most 0.1°/s on every axis, and the tracker
    /// is not a recording.
    private func isWorthKeeping(_ bias: GyroscopeBias) -> Bool {
        if case .file = specification.source { return false }
        return bias.deviation.max() <= 0.1 * Double.pi / 180
    }

    /// Returns the tracker's stored calibration. In the returned entry, a learnt bias that is accurate enough replaces
    /// the stored bias. Nil if there is neither mounting nor bias.
    package func known(with bias: GyroscopeBias?) -> TrackerMemory.Entry? {
        var entry = memory?.entry(for: id) ?? TrackerMemory.Entry()
        if let bias, isWorthKeeping(bias) {
            entry.bias = TrackerMemory.Bias(ofTracker(bias), measured: Date().timeIntervalSince1970)
        }
        return entry == TrackerMemory.Entry() ? nil : entry
    }

    /// Stores the learnt bias of the gyroscope if it is accurate enough. For the end of a session: a failure to write
    /// is reported to `complain`, not thrown.
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
        var unknown: (name: String, isReplacement: Bool)?
        var hearsOwn: (@Sendable (TrackerSample) -> Void)?
        let now = clock()
        state.withLock { state in
            switch event {
            case .bytes(let bytes, let arrival, let sender):
                (samples, answers) = state.receiver.take(bytes, arrival: arrival, sender: sender)
                if !samples.isEmpty { state.patienceBegan = now }
            case .played(let reading, let time): samples = [state.receiver.take(played: reading, at: time)]
            case .opened:
                // The tracker that is plugged in now may be another one, with another baud rate, so the rates are tried
                // again.
                if case .lost = state.receiver.health.connection {
                    state.receivedBefore = state.receiver.health.received
                    state.rounds = 0
                }
                state.receiver.note(event)
                answers = state.receiver.opening
                state.patienceBegan = now
            case .lost, .shed: state.receiver.note(event)
            }
            (own, hearsOwn) = (state.receiver.takeOwn(), state.hearsOwn)
            let name = specification.id ?? state.receiver.health.identity ?? specification.fallbackID
            if !samples.isEmpty, state.recognised != name {
                let isReplacement = state.recognised != nil && state.receiver.replacements != state.replacements
                (state.recognised, state.replacements) = (name, state.receiver.replacements)
                unknown = (name: name, isReplacement: isReplacement)
            }
        }
        if let unknown, recall(unknown.name, isReplacement: unknown.isReplacement) { samples = [] }
        for sample in samples { receive(sample) }
        if let hearsOwn { for sample in own { hearsOwn(sample) } }
        return answers
    }

    /// Looks up the stored calibration of an identified tracker, at its first samples. Returns true if another mounting
    /// was applied to these samples, which must then be dropped.
    private func recall(_ id: String, isReplacement: Bool) -> Bool {
        let entry = memory?.entry(for: id, complaint: complain)
        let mounting = specification.mounting?.rotation ?? entry?.rotation ?? .identity
        let isOther = state.withLock { state in
            defer { state.receiver.mounting = mounting }
            return state.receiver.mounting != mounting
        }
        let prior = entry?.bias?.prior(at: Date().timeIntervalSince1970)
        recognise(Recognition(id: id, bias: prior.map { ofSamples($0) }, isReplacement: isReplacement))
        return isOther
    }

    /// Sends the opening messages again after each second of silence. Before the first sample, and before the first one
    /// after a loss, every second attempt changes the baud rate instead, if there are several rates.
    private func watchForSilence() async {
        while !Task.isCancelled {
            let left = state.withLock { $0.patienceBegan } + 1 - clock()
            try? await Task.sleep(for: .seconds(max(0.1, min(1, left))))
            let now = clock()
            let due: (words: [[UInt8]], wantsNext: Bool)? = state.withLock { state in
                guard now - state.patienceBegan >= 1 else { return nil }
                state.patienceBegan = now
                state.rounds += 1
                let isUnheard = state.receiver.health.received == state.receivedBefore
                return (words: state.receiver.opening, wantsNext: isUnheard && state.rounds % 2 == 0)
            }
            guard let due else { continue }
            if due.wantsNext, transport?.tryNext() ?? false { continue }
            if !due.words.isEmpty { transport?.send(due.words) }
        }
    }

}

extension GyroscopeBias {
    /// Returns the bias in rotated axes. The deviations are computed as for independent axes.
    package func turned(by turn: Quaternion) -> GyroscopeBias {
        var variance = SIMD3<Double>(0, 0, 0)
        for (axis, unit) in [SIMD3<Double>(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)].enumerated() {
            let turned = turn.rotate(unit)
            variance += turned * turned * deviation[axis] * deviation[axis]
        }
        return GyroscopeBias(value: turn.rotate(value), deviation: variance.squareRoot())
    }
}
