import CJACK
import CRealtime
import Foundation
import Signal
import Synchronization

/// Watches a client on its own thread. It turns the callbacks' records into events, tracks connections, and detects
/// that cycles have stopped.
///
/// The context must outlive the thread; `waitForEnd` waits for the thread's end. The thread uses only those fields of
/// the context that are constant, atomic or under a lock.
final class JACKSupervisor: Sendable {
    private let context: ThreadOwned<JACKContext>
    private let notes: SharedPlace<JACKNotes>
    private let isPipeWire: Bool
    private let sampleRate: Double
    private let probeName: String
    private let continuation: AsyncStream<JACKEvent>.Continuation
    private let recorder: @Sendable () -> Recorder?
    /// Called when a client was connected to the MIDI output.
    private let listenerCame: @Sendable () -> Void
    private let names: PortNames
    private let end = ThreadEnd()
    private let lost = Atomic<Bool>(false)
    private let known = Mutex(Known())

    /// Connections as last read.
    private struct Known {
        var standing = StandingConnections()
        /// Connections to restore after the loss of the server; nil before the loss.
        var wanted: [JACKLink]?
    }

    /// Minimum time between two checks, seconds. The records made in this time are handled together.
    private static let interval = 0.02
    /// Time between two checks if no callback records anything, seconds.
    private static let quietInterval = 0.5

    init(
        context: ThreadOwned<JACKContext>, isPipeWire: Bool, sampleRate: Double, probeName: String,
        continuation: AsyncStream<JACKEvent>.Continuation, recorder: @escaping @Sendable () -> Recorder?,
        listenerCame: @escaping @Sendable () -> Void, names: PortNames
    ) {
        self.context = context
        notes = SharedPlace(at: context.pointee.notes)
        self.isPipeWire = isPipeWire
        self.sampleRate = sampleRate
        self.probeName = probeName
        self.continuation = continuation
        self.recorder = recorder
        self.listenerCame = listenerCame
        self.names = names
    }

    /// Whether the server is gone.
    var hasLostServer: Bool { lost.load(ordering: .acquiring) }

    /// Present connections. After the loss of the server these are the ones to restore (`StandingConnections`).
    var connections: [JACKLink] { known.withLock { $0.wanted ?? $0.standing.present } }

    /// Starts the thread.
    ///
    /// - Throws: an error if the system provides no thread.
    func start() throws(WorkerError) {
        try Worker.detach("jack watch") { [self] in
            watch()
            end.arrive()
        }
    }

    /// Requests the end of the thread.
    func stop() {
        end.request()
        notes.pointee.wake()
    }

    /// Waits until the thread has ended, without a limit if a hanging server blocks the thread. Call once.
    func waitForEnd() { end.wait() }

    private func watch() {
        var heart = JACKHeart(name: probeName, now: now)
        var listeners = ListenerWatch()
        var nameWatch = PortNamesWatch()
        var xruns = 0
        var dropped = 0
        var saidRecording = false
        var watched: Recorder?
        while !end.isRequested {
            rest(listeners.isWaiting ? Self.interval : Self.quietInterval)
            let found = notes.pointee.shutdown.exchange(0, ordering: .acquiringAndReleasing)
            if found != 0 {
                let time = now
                if isReallyGone(found) { return lose("it shut down", at: time) }
            }
            announceChanges(&xruns)
            let recorder = recorder()
            if recorder !== watched { (watched, dropped, saidRecording) = (recorder, 0, false) }
            if let recorder {
                if let failure = recorder.failed, !saidRecording {
                    saidRecording = true
                    continuation.yield(.recordingFailed(failure))
                }
                if recorder.droppedFrames > dropped {
                    dropped = recorder.droppedFrames
                    continuation.yield(.recordingOverflow(droppedFrames: dropped))
                }
            }
            let patience = max(2, 20 * Double(context.pointee.periodFrames.load(ordering: .relaxed)) / sampleRate)
            let death = heart.beat(
                cycles: context.pointee.cycleCount.load(ordering: .acquiring),
                isFreewheeling: context.pointee.isFreewheeling.load(ordering: .relaxed), patience: patience, now: now)
            if let death { return lose(death, at: now) }
            if notes.pointee.routeIsLost.exchange(false, ordering: .acquiring) {
                tellLostRoute()
                // The route may already be back, so an event for the present connections follows.
                notes.pointee.connectionsChanged.store(true, ordering: .relaxed)
            }
            let came = notes.pointee.listenerCame.exchange(false, ordering: .acquiring)
            let cycle = context.pointee.cycleCount.load(ordering: .acquiring)
            if listeners.isTime(came, cycle: cycle, at: now) { listenerCame() }
            let changed = notes.pointee.connectionsChanged.exchange(false, ordering: .acquiring)
            if changed {
                rememberConnections()
                continuation.yield(.connectionsChanged)
            }
            if isPipeWire, nameWatch.isTime(changed, at: now, accepts: names.accepts) { names.set() }
        }
    }

    /// Waits until a callback has recorded something and 20 ms have passed, or for `seconds` seconds.
    private func rest(_ seconds: Double) {
        let isWoken = notes.pointee.wait(until: now + seconds)
        if isWoken, !end.isRequested { usleep(UInt32(Self.interval * 1e6)) }
    }

    private var now: Double { Double(prc_monotonic_nanoseconds()) * 1e-9 }

    private func lose(_ reason: String, at time: Double) {
        known.withLock { $0.wanted = $0.standing.wanted(at: time) }
        lost.store(true, ordering: .releasing)
        continuation.yield(.serverLost(reason: reason))
    }

    /// Returns whether the server is gone after a shutdown callback. PipeWire 0.3.65 calls the plain callback also for
    /// harmless errors; then the server counts as gone only if no cycle runs within 0.3 s.
    private func isReallyGone(_ callback: Int) -> Bool {
        guard isPipeWire, callback == 1 else { return true }
        let cycle = context.pointee.cycleCount.load(ordering: .acquiring)
        usleep(300_000)
        return context.pointee.cycleCount.load(ordering: .acquiring) == cycle
    }

    private func announceChanges(_ xruns: inout Int) {
        let period = notes.pointee.newPeriod.exchange(0, ordering: .acquiringAndReleasing)
        if period > StageCycle.maximumFrames {
            continuation.yield(.periodTooLong(frames: period, limit: StageCycle.maximumFrames))
        } else if period > 0 {
            continuation.yield(.periodChanged(frames: period))
        }
        let rate = notes.pointee.newRate.exchange(0, ordering: .acquiringAndReleasing)
        if rate > 0 { continuation.yield(.rateChanged(hertz: Double(rate))) }
        let freewheel = notes.pointee.freewheelChange.exchange(0, ordering: .acquiringAndReleasing)
        if freewheel > 0 { continuation.yield(.freewheel(freewheel == 1)) }
        if notes.pointee.latencyIsNew.exchange(false, ordering: .acquiring) {
            passLatenciesOn()
        }
        let total = notes.pointee.xruns.load(ordering: .relaxed)
        if total != xruns {
            xruns = total
            let delay = Double(jack_get_xrun_delayed_usecs(context.pointee.client))
            continuation.yield(.xrun(total: total, delayMicroseconds: delay))
        }
    }

    /// Reports changed latencies. jackd then calls the latency callbacks of all clients, in order. On PipeWire the
    /// latencies are reported here.
    private func passLatenciesOn() {
        guard isPipeWire else {
            JACKRequest.recomputeLatencies(context.pointee.client)
            return
        }
        let relays = context.pointee.withPorts { $0.relays }
        for relay in relays { relay.pointee.reportLatency(JackCaptureLatency) }
        for mode in [JackCaptureLatency, JackPlaybackLatency] { context.pointee.reportLatency(mode) }
        for relay in relays { relay.pointee.reportLatency(JackPlaybackLatency) }
    }

    private func tellLostRoute() {
        let lost = context.pointee.route.withLock { $0.takeLost() }
        continuation.yield(
            .routeLost(
                lost.map {
                    JACKLink(from: String(cString: jack_port_name(context.pointee.outputPorts[$0.ear])), to: $0.name)
                }))
    }

    private func rememberConnections() {
        var found: [JACKLink] = []
        let stage = String(cString: jack_get_client_name(context.pointee.client))
        // To all callers, a relay's ports appear as the stage's own.
        func name(_ port: OpaquePointer) -> String { stage + ":" + String(cString: jack_port_short_name(port)) }
        func peers(_ port: OpaquePointer, _ client: OpaquePointer? = nil) -> [String] {
            JACKConnections.peers(of: port, client: client ?? context.pointee.client)
        }
        func taken(by port: OpaquePointer, of client: OpaquePointer? = nil) {
            found += peers(port, client).map { JACKLink(from: $0, to: name(port)) }
        }
        func given(by port: OpaquePointer) {
            found += peers(port).map { JACKLink(from: name(port), to: $0) }
        }
        context.pointee.withPorts { ports in
            for i in 0..<ports.inputCount { taken(by: ports.inputs[i], of: ports.places[i].relay?.pointee.client) }
            for port in ports.printPorts { given(by: port) }
            for port in context.pointee.monitorPorts.all { taken(by: port) }
        }
        for ear in 0..<2 { given(by: context.pointee.outputPorts[ear]) }
        if let events = context.pointee.events {
            taken(by: events.input)
            given(by: events.output)
        }
        let time = now
        known.withLock { $0.standing.see(found, at: time) }
    }
}
