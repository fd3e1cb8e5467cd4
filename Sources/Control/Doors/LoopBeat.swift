import Gate
import NIOCore
import Synchronization

/// Timer on an event loop. A late run does not delay the next one.
final class LoopBeat: NIOScheduledCallbackHandler, Sendable {
    private let interval: TimeAmount
    private let work: @Sendable () -> Void
    private let due = Mutex(NIODeadline.now())
    private let hasEnded = Atomic<Bool>(false)

    /// Creates a timer with a period in seconds.
    init(_ seconds: Double, _ work: @escaping @Sendable () -> Void) {
        interval = .nanoseconds(Int64(Int(clamping: seconds * 1e9, to: 0...1 << 60)))
        self.work = work
    }

    /// Starts the timer on a loop. It continues until `end`, or until the loop closes.
    func begin(on loop: some EventLoop) {
        let next = due.withLock { due in
            // Runs that were missed by a delayed loop are skipped.
            due = max(due + interval, .now())
            return due
        }
        // A loop that is closing refuses the callback. The timer then ends.
        _ = try? loop.scheduleCallback(at: next, handler: self)
    }

    /// Stops the timer. Work in progress is completed.
    func end() { hasEnded.store(true, ordering: .relaxed) }

    /// Does the work once and schedules the next run.
    func handleScheduledCallback(eventLoop: some EventLoop) {
        guard !hasEnded.load(ordering: .relaxed) else { return }
        work()
        begin(on: eventLoop)
    }
}
