import CJACK
import CRealtime
import Foundation
import Rendering
import Signal
import Synchronization

/// Proscenium as a JACK client: one input per loudspeaker, two outputs for the ears.
///
/// Open it, look at `sampleRate`, build a renderer for that rate, `activate`. It never starts a server, and connects to
/// nothing unless asked. After `serverLost` it must be closed; a new one is opened in its place.
///
/// What changes is in `state`, under its lock, or in the context's atomics. Calls may come from any thread but the
/// audio thread.
package final class JACKClient: Sendable {
    /// The name the server gave; other than asked for where that was taken (`proscenium-01`).
    package let name: String
    /// The name asked for.
    package let requestedName: String
    /// The server's rate.
    package let sampleRate: SampleRate
    /// Whether the server is PipeWire.
    package let isPipeWire: Bool
    /// PipeWire gives the same name twice: true where another client has ours, and no number could be had.
    package let sharesName: Bool
    /// What happens from activation to `close`, in order; the newest 256 are kept for a slow reader.
    package let events: AsyncStream<JACKEvent>

    private let handle: JACKHandle
    var client: OpaquePointer { handle.pointer }
    let state: Mutex<State>
    /// Questions to libjack under way: the client is closed only when there are none.
    let questions = JACKQuestions()
    let continuation: AsyncStream<JACKEvent>.Continuation
    let clockOffset: Double

    /// What changes between opening and closing; the context is shared by its atomics alone.
    struct State: ~Copyable, Sendable {
        var context: ThreadOwned<JACKContext>?
        /// The inputs past the stage that are there, or come with activation.
        var monitorInputs: MonitorInputs = []
        /// The inputs, by symbol, and the relays that take some of them.
        var inputs: [String: JACKInput] = [:]
        var relays: [JACKRelay] = []
        /// What plays, and which of it is heard.
        var parts: [StagePart] = []
        var heard = 0
        var supervisor: JACKSupervisor?
        var recorder: Recorder?
        var midi: StageMIDI?
        var requests: UInt32 = 0
        var isClosed = false
        /// Recorders that a cycle may still be at which was held up when its server ended: freed with the client.
        var held: [Recorder] = []
        /// Contexts of activations that failed, and ports that a cycle may still use, freed with the client.
        var abandoned: [ThreadOwned<JACKContext>] = []
        var abandonedPorts: [(ports: ThreadOwned<JACKStagePorts>, parts: [StagePart])] = []
        /// Libjack hung when it was closed: its audio thread may still run.
        var mayStillCycle = false
    }

    /// Opens a client; no port is registered yet.
    ///
    /// - Parameters:
    ///   - exactName: fail where the name is taken instead of taking a numbered one.
    ///   - requiredSampleRate: fail unless the server runs at this rate.
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
            jack_client_close(client)
            throw failure ?? .unsupportedSampleRate(hertz)
        }
        handle = JACKHandle(client)
        self.name = opened.name
        requestedName = name
        sampleRate = rate
        // jackd's clock is CLOCK_MONOTONIC unless started with -c hpet; measured to be sure.
        let before = prc_monotonic_nanoseconds()
        let jackTime = Double(jack_get_time()) * 1e-6
        let now = Double(before / 2 + prc_monotonic_nanoseconds() / 2) * 1e-9
        clockOffset = abs(now - jackTime) < 1e-3 ? 0 : now - jackTime
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
        state = Mutex(State())
    }

    deinit { close() }

    /// Bytes of the longest name: jack_client_name_size counts the terminator; jackd itself takes 63 at most.
    static var longestName: Int { min(63, Int(jack_client_name_size()) - 1) }

    /// Frames per period now.
    package var periodFrames: Int { Int(ifOpen(0) { jack_get_buffer_size($0) }) }

    /// The server's frame clock now, estimated; it wraps after 2³² frames.
    package var frameTime: UInt32 { ifOpen(0) { jack_frame_time($0) } }

    /// Where the server's transport is now.
    package var transport: ServerTransport {
        ifOpen(ServerTransport()) { client in
            var (frame, tempo) = (jack_nframes_t(0), 0.0)
            let isRolling = cjack_transport(client, &frame, &tempo) != 0
            return ServerTransport(
                frame: Int64(frame), isRolling: isRolling, beatsPerMinute: tempo.isFinite && tempo > 0 ? tempo : nil)
        }
    }

    /// The largest share of the period the server's clients take, 0…1, as the server measures it.
    package var load: Double { Double(ifOpen(0) { jack_cpu_load($0) }) / 100 }

    /// Asks libjack about the client, or gives `fallback` once it is closed. No lock is held meanwhile: a server that
    /// hangs holds up the caller, and no other.
    func ifOpen<Value: Sendable>(_ fallback: Value, _ ask: (OpaquePointer) -> Value) -> Value {
        guard beginQuestion() else { return fallback }
        defer { questions.end() }
        return ask(client)
    }

    /// The same for what can fail; `serverGone` where the server is gone or the client closed.
    func asking<Value>(_ ask: (OpaquePointer) throws(JACKError) -> Value) throws(JACKError) -> Value {
        guard !hasLostServer, beginQuestion() else { throw .serverGone }
        defer { questions.end() }
        return try ask(client)
    }

    /// Keeps the client open for a question, unless it is closed.
    private func beginQuestion() -> Bool {
        state.withLock {
            guard !$0.isClosed else { return false }
            questions.begin()
            return true
        }
    }

    /// Whether the server is gone; the client can then only be closed.
    package var hasLostServer: Bool { state.withLock { $0.supervisor?.hasLostServer ?? $0.isClosed } }

    /// Cycles lost since activation.
    package var xrunCount: Int {
        state.withLock { $0.context?.pointee.notes.pointee.xruns.load(ordering: .relaxed) ?? 0 }
    }

    /// Frames the server's clock ran ahead of the cycles that reached this client: periods it never saw.
    package var skippedFrames: Int {
        state.withLock { $0.context?.pointee.notes.pointee.skippedFrames.load(ordering: .relaxed) ?? 0 }
    }

    /// Cycles run since activation.
    package var cycleCount: Int { state.withLock { $0.context?.pointee.cycleCount.load(ordering: .relaxed) ?? 0 } }

    /// Longest playback latency behind the outputs, frames; 0 where they are not connected.
    package var playbackLatency: Int {
        state.withLock { $0.context?.pointee.playbackLatency.load(ordering: .relaxed) ?? 0 }
    }

    /// Gives the client ports for MIDI too; before `activate`.
    package func attach(_ midi: StageMIDI) { state.withLock { $0.midi = midi } }

    /// Sets stream time 0 to a frame of the server's clock (cycle-exact: the frame may lie inside a cycle), or to the
    /// start of the next cycle, with silent history; returns the frame it was. A later request takes the place of one
    /// that still waits.
    ///
    /// - Parameter timeout: how long to wait for the cycle, host time; in freewheel cycles fly by.
    /// - Throws: `startMissed`, `startTimedOut`, `startReplaced`, `serverGone`.
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
        // A newer request is not this one's to take back.
        state.withLock { if $0.requests == number { $0.context?.pointee.cycle.withdrawStart() } }
        throw .startTimedOut
    }

    /// Ends everything: an unfinished recording is completed, metadata and ports go. Returns within about three seconds
    /// whatever the server does. Idempotent.
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
            // What the contexts pointed to goes after them.
            withExtendedLifetime(parts) {}
        } else {
            // libjack hangs and may still call back: what its audio thread could touch is left to the process's end.
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
