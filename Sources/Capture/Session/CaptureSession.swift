import AudioIO
import CRealtime
import Geometry
import Signal
import Synchronization
import Takes

/// A capture (a recording with a microphone array) that runs on its own thread. It queues requests, and returns events
/// and status.
///
/// The engine is used only on the worker thread. All other state is under a lock or constant. Any thread may call the
/// methods.
package final class CaptureSession: Sendable {
    /// Opens the inputs again after their server is gone; returns nil while no server is running.
    package typealias Reopening = @Sendable () -> (any CaptureInputs)?

    /// Called with the events of a request: when the request is carried out, or for the end of a take when its files
    /// are complete. It runs on the session's thread, which it must not block. A request that `ask` itself refuses is
    /// answered on the thread that called `ask`.
    package typealias Answer = @Sendable ([CaptureEvent]) -> Void

    private struct State {
        var requests: [(request: CaptureRequest, answer: Answer?)] = []
        var turn: (Quaternion, Double)?
        var events: [CaptureEvent] = []
        var status = CaptureEngine.Status()
        var isOver = false
        /// Timeout for the files of all takes at the end of the capture, seconds.
        var diskPatience = TakeFile.patience
        /// Whether further requests are refused.
        var isClosed = false
    }

    /// Answer to requests after the end of the capture.
    private static let ending = [CaptureEvent.refused("the capture is ending")]

    private static let mostRequests = 1000
    /// Interval between two attempts to open the inputs again, seconds.
    private static let reopenInterval = 1.0
    private let handover: Handover<CaptureEngine>
    private let reopen: Reopening
    private let worker = Worker(name: "capture")
    private let state = Mutex(State())
    private let unfinished = Mutex<Int?>(nil)
    private let inputs: Mutex<any CaptureInputs>

    /// State of the worker thread.
    private struct Work {
        let engine: CaptureEngine
        /// Pending answers to requests that ended a take, by the take's number, with the events of the request itself.
        var waiting: [Int: (events: [CaptureEvent], answer: Answer)] = [:]
        var nextTry = 0.0
    }

    /// Creates a capture that is not running yet. `engine` must not be used elsewhere afterwards.
    package init(_ engine: sending CaptureEngine, inputs: any CaptureInputs, reopen: @escaping Reopening) {
        handover = Handover(engine)
        self.inputs = Mutex(inputs)
        self.reopen = reopen
    }

    /// Part of the timeout of `finish` that remains after the wait for the disk, seconds. In this time a request to end
    /// a take is answered.
    private static let answering = 3.0

    /// Starts the thread. May be called once.
    ///
    /// - Throws: an error if the system cannot start a thread.
    package func start() throws(WorkerError) {
        let number = Unfinished.add { [weak self] in _ = self?.worker.stop(within: 1.5) }
        unfinished.withLock { $0 = number }
        try worker.start { [self] worker in
            guard let engine = handover.take() else { return }
            var work = Work(engine: engine)
            while !worker.isEnding { worker.rest(round(&work) >= CaptureChain.mostFrames / 4 ? 0.0005 : 0.005) }
            // Frames that are waiting at the inputs still belong to the take.
            var rounds = 0
            while rounds < 512, engine.step(now: Self.now) > 0 { rounds += 1 }
            engine.end(within: state.withLock { $0.diskPatience })
            publish(&work)
            let left = state.withLock { state in
                defer { (state.requests, state.isClosed) = ([], true) }
                return state.requests
            }
            for (_, answer) in left { answer?(Self.ending) }
        }
    }

    /// Runs one round. Returns the number of frames processed.
    private func round(_ work: inout Work) -> Int {
        let (engine, now) = (work.engine, Self.now)
        let (requests, turn) = state.withLock { state in
            defer { (state.requests, state.turn) = ([], nil) }
            return (state.requests, state.turn)
        }
        for (request, answer) in requests {
            publish(&work)
            let take = engine.perform(request, now: now)
            // Events and status are published first, so that a client that reads them after the answer gets the result.
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
            // The old client is closed before another one is opened, because closing a client discards libjack's server
            // state for the whole process.
            _ = inputs.close()
            work.nextTry = now + Self.reopenInterval
            if let others = reopen() {
                guard engine.adopt(others) else {
                    _ = others.close()
                    state.withLock { state in
                        state.events.append(.refused("JACK now runs at another sample rate: the take has ended"))
                        state.isOver = true
                    }
                    engine.end(within: state.withLock { $0.diskPatience })
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

    /// Queues a request. Later results, for example of filters that must be designed first, appear only as events. At
    /// most 1000 requests wait; further ones are refused.
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

    /// Stores the device's orientation. `seconds`: time of the host's monotonic clock. Only the newest orientation
    /// since the last round is used.
    package func note(deviceToWorld turn: Quaternion, at seconds: Double) {
        state.withLock { $0.turn = (turn, seconds) }
    }

    /// Returns the events since the last call.
    package func takeEvents() -> [CaptureEvent] {
        state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
    }

    /// Status after the last round.
    package var status: CaptureEngine.Status { state.withLock { $0.status } }

    /// Whether the capture has ended without a request.
    package var isOver: Bool { state.withLock { $0.isOver } }

    /// Ends the capture, and completes the take. Returns false if the thread has not ended within `seconds`, because
    /// the disk or the server blocks it. The wait for the disk ends up to three seconds earlier.
    package func finish(within seconds: Double = TakeFile.patience + 5) -> Bool {
        state.withLock { $0.diskPatience = max(seconds - Self.answering, seconds / 2) }
        let isDone = worker.stop(within: seconds)
        unfinished.withLock { number in
            number.map(Unfinished.forget)
            number = nil
        }
        if isDone { _ = inputs.withLock(\.self).close() }
        return isDone
    }

    /// Time of the host's monotonic clock, seconds.
    private static var now: Double { Double(prc_monotonic_nanoseconds()) * 1e-9 }
}
