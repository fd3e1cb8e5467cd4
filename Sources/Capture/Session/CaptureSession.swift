import AudioIO
import CRealtime
import Geometry
import Signal
import Synchronization
import Takes

/// A capture on a thread of its own: requests in, events and status out.
///
/// The engine is handed over to the worker; all else is under a lock or constant. Any thread may call the methods.
package final class CaptureSession: Sendable {
    /// Opens the inputs again after their server went away; nil while there is none.
    package typealias Reopening = @Sendable () -> (any CaptureInputs)?

    /// Told what came of a request at once, of a take's end when its files are complete; on the session's thread, which
    /// must not be held up.
    package typealias Answer = @Sendable ([CaptureEvent]) -> Void

    private struct State {
        var requests: [(request: CaptureRequest, answer: Answer?)] = []
        var turn: (Quaternion, Double)?
        var events: [CaptureEvent] = []
        var status = CaptureEngine.Status()
        var isOver = false
        /// Whether nothing more is taken.
        var isClosed = false
    }

    /// What is answered once it ends.
    private static let ending = [CaptureEvent.refused("the capture is ending")]

    private static let mostRequests = 1000
    /// Seconds between two tries to open the inputs again.
    private static let reopenInterval = 1.0
    private let handover: Handover<CaptureEngine>
    private let reopen: Reopening
    private let worker = Worker(name: "capture")
    private let state = Mutex(State())
    private let unfinished = Mutex<Int?>(nil)
    private let inputs: Mutex<any CaptureInputs>

    /// What the worker alone works with.
    private struct Work {
        let engine: CaptureEngine
        /// The clients that asked for a take's end, and what is to be answered beside what comes of its files.
        var waiting: [Int: (events: [CaptureEvent], answer: Answer)] = [:]
        var nextTry = 0.0
    }

    /// A capture that does not run yet; `engine` is this object's from now on.
    package init(_ engine: sending CaptureEngine, inputs: any CaptureInputs, reopen: @escaping Reopening) {
        handover = Handover(engine)
        self.inputs = Mutex(inputs)
        self.reopen = reopen
    }

    /// Seconds in which the files of all takes are to be complete when the capture ends.
    private static let longestEnd = 8.0

    /// Starts the thread; once.
    ///
    /// - Throws: where the system gives none.
    package func start() throws(WorkerError) {
        let number = Unfinished.add { [weak self] in _ = self?.worker.stop(within: 1.5) }
        unfinished.withLock { $0 = number }
        try worker.start { [self] worker in
            guard let engine = handover.take() else { return }
            var work = Work(engine: engine)
            while !worker.isEnding { worker.rest(round(&work) >= CaptureChain.mostFrames / 4 ? 0.0005 : 0.005) }
            // What has come in until now belongs to the take.
            var rounds = 0
            while rounds < 512, engine.step(now: Self.now) > 0 { rounds += 1 }
            // Before the callers that wait for this thread give up:
            // a client that asked for an end is answered in any case.
            engine.end(within: Self.longestEnd)
            publish(&work)
            let left = state.withLock { state in
                defer { (state.requests, state.isClosed) = ([], true) }
                return state.requests
            }
            for (_, answer) in left { answer?(Self.ending) }
        }
    }

    /// One round; how many frames it took.
    private func round(_ work: inout Work) -> Int {
        let (engine, now) = (work.engine, Self.now)
        let (requests, turn) = state.withLock { state in
            defer { (state.requests, state.turn) = ([], nil) }
            return (state.requests, state.turn)
        }
        for (request, answer) in requests {
            publish(&work)
            let take = engine.perform(request, now: now)
            // A client that is answered and asks how it does is told what came of it.
            let (events, status) = (engine.takeEvents(), engine.status)
            state.withLock { state in
                state.events += events
                state.status = status
            }
            if let take, let answer { work.waiting[take] = (events, answer) } else { answer?(events) }
        }
        if let turn { engine.note(deviceToWorld: turn.0, at: turn.1) }
        let frames = engine.step(now: now)
        let inputs = inputs.withLock(\.self)
        if inputs.serverIsGone, frames == 0, now >= work.nextTry {
            // Before another client is opened: closing one takes what libjack has of the server from all of a process.
            _ = inputs.close()
            work.nextTry = now + Self.reopenInterval
            if let others = reopen() {
                guard engine.adopt(others) else {
                    _ = others.close()
                    state.withLock { state in
                        state.events.append(.refused("JACK runs at another rate now: the take is complete"))
                        state.isOver = true
                    }
                    engine.end()
                    publish(&work)
                    worker.end()
                    return 0
                }
                self.inputs.withLock { $0 = others }
            }
        }
        publish(&work)
        return frames
    }

    private func publish(_ work: inout Work) {
        let (events, status) = (work.engine.takeEvents(), work.engine.status)
        state.withLock { state in
            state.events += events
            state.status = status
        }
        for done in work.engine.takeCompletions() {
            guard let (before, answer) = work.waiting.removeValue(forKey: done.take) else { continue }
            answer(before + done.events)
        }
    }

    /// Asks for something; what comes of it later, as of filters that are designed first, is told by events alone. A
    /// thousand requests may wait; more are refused.
    package func ask(_ request: CaptureRequest, answer: Answer? = nil) {
        let refusal: [CaptureEvent]? = state.withLock { state in
            if state.isClosed { return Self.ending }
            guard state.requests.count < Self.mostRequests else {
                return [.refused("\(Self.mostRequests) requests wait already; ask again")]
            }
            state.requests.append((request, answer))
            return nil
        }
        if let refusal { answer?(refusal) } else { worker.wake() }
    }

    /// Notes how the device was turned at a time of the host's monotonic clock, in seconds; of what comes faster than
    /// it is taken, the newest is.
    package func note(deviceToWorld turn: Quaternion, at seconds: Double) {
        state.withLock { $0.turn = (turn, seconds) }
    }

    /// What happened since this was last asked.
    package func takeEvents() -> [CaptureEvent] {
        state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
    }

    /// How it does.
    package var status: CaptureEngine.Status { state.withLock { $0.status } }

    /// Whether it has ended by itself.
    package var isOver: Bool { state.withLock { $0.isOver } }

    /// Ends it, and completes the take; false where the disk or the server hold that up.
    package func finish(within seconds: Double = 10) -> Bool {
        let isDone = worker.stop(within: seconds)
        unfinished.withLock { number in
            number.map(Unfinished.forget)
            number = nil
        }
        if isDone { _ = inputs.withLock(\.self).close() }
        return isDone
    }

    /// Seconds of the host's monotonic clock.
    private static var now: Double { Double(prc_monotonic_nanoseconds()) * 1e-9 }
}
