import CJACK
import CRealtime
import Foundation
import Rendering
import Signal
import Synchronization

/// Proscenium's JACK client. It has one input per channel and one output for each ear.
///
/// To use a client, open it, read `sampleRate`, build a renderer for that rate, and call `activate`. A client never
/// starts a server. By itself it connects no ports except to its relays (`JACKRelay`). After `serverLost` it has to be
/// closed and replaced.
///
/// Mutable state is in `state`, under its lock, or in the context's atomics. Calls may come from any thread except the
/// audio thread.
package final class JACKClient: Sendable {
    /// Name assigned by the server. It differs from the requested name if that was in use (`proscenium-01`).
    package let name: String
    /// Requested name.
    package let requestedName: String
    /// The server's sample rate.
    package let sampleRate: SampleRate
    /// Whether the server is PipeWire.
    package let isPipeWire: Bool
    /// Whether another client has the same name, which PipeWire allows. It is true only if no numbered name was
    /// available.
    package let sharesName: Bool
    /// Events from activation to `close`, in order. If the reader is slow, only the newest 256 are kept.
    package let events: AsyncStream<JACKEvent>

    private let handle: JACKHandle
    var client: OpaquePointer { handle.pointer }
    let state: Mutex<State>
    /// Counter of the calls to libjack that are in progress. The client is closed only when there are none.
    let questions = JACKQuestions()
    let continuation: AsyncStream<JACKEvent>.Continuation
    /// Host clock minus JACK's clock, seconds; 0 if both are CLOCK_MONOTONIC.
    let clockOffset: Double

    /// Mutable state between opening and closing. The context is shared only through its atomics.
    struct State: ~Copyable, Sendable {
        var context: ThreadOwned<JACKContext>?
        /// Open inputs of the monitor section, or those that the activation will open.
        var monitorInputs: MonitorInputs = []
        /// The inputs, by symbol.
        var inputs: [String: JACKInput] = [:]
        /// Relays of some of the inputs.
        var relays: [JACKRelay] = []
        /// The parts that play.
        var parts: [StagePart] = []
        /// Index of the part that is heard.
        var heard = 0
        var supervisor: JACKSupervisor?
        var recorder: Recorder?
        var midi: StageMIDI?
        /// The last published state of the session, in JSON.
        var published: String?
        var requests: UInt32 = 0
        var isClosed = false
        /// Recorders whose taps a delayed cycle may still use. They are freed when the client is closed.
        var held: [Recorder] = []
        /// Contexts of failed activations. They are freed when the client is closed.
        var abandoned: [ThreadOwned<JACKContext>] = []
        /// Replaced ports that a cycle may still use, and their parts. They are freed when the client is closed.
        var abandonedPorts: [(ports: ThreadOwned<JACKStagePorts>, parts: [StagePart])] = []
        /// Whether libjack hung while closing the client. Its audio thread may then still run.
        var mayStillCycle = false
    }

    /// Opens a client without ports.
    ///
    /// - Parameters:
    ///   - exactName: Whether a name in use is an error. Otherwise a numbered name is used.
    ///   - requiredSampleRate: Sample rate at which the server must run; nil allows any rate.
    package init(
        name: String = "proscenium", exactName: Bool = false, requiredSampleRate: SampleRate? = nil
    ) throws(JACKError) {
        JACKMessages.divert()
        JACKMessages.clear()
        let limit = Self.longestName
        guard (1...limit).contains(name.utf8.count), !name.contains(":") else {
            throw .invalidName(name, limit: limit)
        }
        let opened = try JACKOpening.open(name: name, exactName: exactName, limit: limit)
        let client = opened.client
        isPipeWire = JACKDiagnosis.isPipeWire
        sharesName = opened.isShared
        let hertz = Double(jack_get_sample_rate(client))
        var failure: JACKError?
        if exactName, sharesName || opened.name != name { failure = .nameTaken(name) }
        if let wanted = requiredSampleRate, wanted.hertz != hertz {
            failure = .wrongSampleRate(server: hertz, wanted: wanted.hertz)
        }
        let rate = SampleRate(hertz: hertz)
        if rate == nil { failure = .unsupportedSampleRate(hertz) }
        guard failure == nil, let rate else {
            JACKRequest.close(client)
            throw failure ?? .unsupportedSampleRate(hertz)
        }
        handle = JACKHandle(client)
        self.name = opened.name
        requestedName = name
        sampleRate = rate
        // jackd's clock is CLOCK_MONOTONIC, unless jackd was started with -c hpet. The offset is measured.
        let before = prc_monotonic_nanoseconds()
        let jackTime = Double(jack_get_time()) * 1e-6
        let now = Double(before / 2 + prc_monotonic_nanoseconds() / 2) * 1e-9
        clockOffset = abs(now - jackTime) < 1e-3 ? 0 : now - jackTime
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
        state = Mutex(State())
    }

    deinit { close() }

    /// Longest name, bytes. jack_client_name_size counts the terminator. jackd itself accepts 63 bytes.
    static var longestName: Int { min(63, Int(jack_client_name_size()) - 1) }

    /// Present period, frames.
    package var periodFrames: Int { Int(ifOpen(0) { jack_get_buffer_size($0) }) }

    /// Estimate of the server's present frame clock. It wraps after 2³² frames.
    package var frameTime: UInt32 { ifOpen(0) { jack_frame_time($0) } }

    /// Present position of the server's transport.
    package var transport: ServerTransport {
        ifOpen(ServerTransport()) { client in
            var (frame, tempo) = (jack_nframes_t(0), 0.0)
            let isRolling = cjack_transport(client, &frame, &tempo) != 0
            return ServerTransport(
                frame: Int64(frame), isRolling: isRolling, beatsPerMinute: tempo.isFinite && tempo > 0 ? tempo : nil)
        }
    }

    /// Share of the period that the server's clients use, 0…1, as the server reports it.
    package var load: Double { Double(ifOpen(0) { jack_cpu_load($0) }) / 100 }

    /// Calls libjack with the client. Returns `fallback` once the client is closed. No lock is held during the call, so
    /// a server that hangs blocks only the caller.
    func ifOpen<Value: Sendable>(_ fallback: Value, _ ask: (OpaquePointer) -> Value) -> Value {
        guard beginQuestion() else { return fallback }
        defer { questions.end() }
        return ask(client)
    }

    /// Makes a call to libjack that may throw. Throws `serverGone` if the server is gone or the client is closed.
    func asking<Value>(_ ask: (OpaquePointer) throws(JACKError) -> Value) throws(JACKError) -> Value {
        guard !hasLostServer, beginQuestion() else { throw .serverGone }
        defer { questions.end() }
        return try ask(client)
    }

    /// Registers a call to libjack, unless the client is closed.
    private func beginQuestion() -> Bool {
        state.withLock {
            guard !$0.isClosed else { return false }
            questions.begin()
            return true
        }
    }

    /// Whether the server is gone, as far as an active client has noticed, or the client is closed. The client can no
    /// longer be used.
    package var hasLostServer: Bool { state.withLock { $0.supervisor?.hasLostServer ?? $0.isClosed } }

    /// Number of cycles lost since activation.
    package var xrunCount: Int {
        state.withLock { $0.context?.pointee.notes.pointee.xruns.load(ordering: .relaxed) ?? 0 }
    }

    /// Number of frames by which the server's clock ran ahead of the cycles that reached this client.
    package var skippedFrames: Int {
        state.withLock { $0.context?.pointee.notes.pointee.skippedFrames.load(ordering: .relaxed) ?? 0 }
    }

    /// Sudden changes of the delay between programme and ears since activation.
    package var lagSteps: LagSteps {
        state.withLock { state in
            guard let notes = state.context?.pointee.notes else { return LagSteps() }
            return LagSteps(
                count: notes.pointee.lagSteps.load(ordering: .relaxed),
                skippedFrames: notes.pointee.skippedFrames.load(ordering: .relaxed),
                emptyFrames: notes.pointee.emptyFrames.load(ordering: .relaxed))
        }
    }

    /// Number of cycles run since activation.
    package var cycleCount: Int { state.withLock { $0.context?.pointee.cycleCount.load(ordering: .relaxed) ?? 0 } }

    /// Longest playback latency of the outputs, frames; 0 if the outputs are not connected.
    package var playbackLatency: Int {
        state.withLock { $0.context?.pointee.playbackLatency.load(ordering: .relaxed) ?? 0 }
    }

    /// Adds MIDI ports. Call before `activate`.
    package func attach(_ midi: StageMIDI) { state.withLock { $0.midi = midi } }

    /// Sets stream time 0 to a frame of the server's clock, or to the start of the next cycle if `frame` is nil, with
    /// silent history. A given frame is met exactly, also within a cycle. Returns the frame. A later request replaces a
    /// pending one.
    ///
    /// - Parameter timeout: Longest time to wait for the cycle, in host time. In freewheel cycles run faster.
    /// - Throws: `startMissed`, `startTimedOut`, `startReplaced` or `serverGone`.
    package func requestStart(atFrame frame: UInt32? = nil, timeout: Duration = .seconds(10)) async throws(JACKError)
        -> UInt32
    {
        let number = state.withLock { state -> UInt32? in
            guard let context = state.context else { return nil }
            state.requests += 1
            context.pointee.cycle.askToStart(at: frame, number: state.requests)
            return state.requests
        }
        guard let number else { throw .serverGone }
        let deadline = ContinuousClock.now + timeout
        while ContinuousClock.now < deadline {
            let (outcome, isNewest) = state.withLock {
                ($0.context?.pointee.cycle.startOutcome(number: number), $0.requests == number)
            }
            switch outcome {
            case nil: throw .serverGone
            case .started(let frame): return frame
            case .missed(let now): throw .startMissed(asked: frame ?? now, now: now)
            case .pending:
                guard isNewest else { throw .startReplaced }
                guard !hasLostServer else { throw .serverGone }
                try? await Task.sleep(for: .milliseconds(1))
            }
        }
        // A newer request is not withdrawn.
        state.withLock { if $0.requests == number { $0.context?.pointee.cycle.withdrawStart() } }
        throw .startTimedOut
    }

    /// Ends the client: completes an unfinished recording, removes metadata and ports. Returns within about three
    /// seconds, even if the server hangs. Further calls have no effect.
    package func close() {
        let (wasClosed, supervisor, context, midi) = state.withLock { state in
            let found = (state.isClosed, state.supervisor, state.context, state.midi)
            state.isClosed = true
            state.supervisor = nil
            return found
        }
        guard !wasClosed else { return }
        if let events = context?.pointee.events { midi?.detach(events.exchange) }
        supervisor?.stop()
        _ = try? stopRecording(within: 0.5)
        state.withLock { $0.context = nil }
        let relays = state.withLock { state in
            defer { (state.relays, state.inputs) = ([], [:]) }
            return state.relays
        }
        let closing = JACKClosing(
            client: handle, context: context, relays: relays, supervisor: supervisor, questions: questions)
        if closing.closeOnThread(within: 2) {
            let (abandoned, ports, parts) = state.withLock { state in
                defer { (state.parts, state.abandoned, state.abandonedPorts, state.held) = ([], [], [], []) }
                return (state.abandoned, state.abandonedPorts, state.parts)
            }
            for context in abandoned + [context].compactMap(\.self) { context.deallocate() }
            for relay in relays { relay.free() }
            for (ports, _) in ports { ports.deallocate() }
            // The renderers of the parts must outlive the contexts.
            withExtendedLifetime(parts) {}
        } else {
            // libjack hangs and may still call back. Memory that its audio thread may touch is kept until the process
            // ends.
            state.withLock { state in
                for part in state.parts + state.abandonedPorts.flatMap(\.parts) {
                    _ = Unmanaged.passRetained(part.renderer)
                    state.mayStillCycle = true
                }
                for recorder in state.held { _ = Unmanaged.passRetained(recorder) }
            }
        }
        continuation.finish()
    }
}
