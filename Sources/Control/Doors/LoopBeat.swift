import Gate
import NIOCore
import Synchronization

/// Work that an event loop does again and again, as often as is asked for: what comes late does not make the next late.
final class LoopBeat: NIOScheduledCallbackHandler, Sendable {
    private let interval: TimeAmount
    private let work: @Sendable () -> Void
    private let due = Mutex(NIODeadline.now())
    private let hasEnded = Atomic<Bool>(false)

    /// Work that is due every so many seconds.
    init(_ seconds: Double, _ work: @escaping @Sendable () -> Void) {
        interval = .nanoseconds(Int64(Int(clamping: seconds * 1e9, to: 0...1 << 60)))
        self.work = work
    }

    /// Begins on a loop, which does the work until `end`.
    func begin(on loop: some EventLoop) {
        let next = due.withLock { due in
            // What a loop that was held up missed is not made up for.
            due = max(due + interval, .now())
            return due
        }
        // Where the loop is closing there is no listener any more.
        _ = try? loop.scheduleCallback(at: next, handler: self)
    }

    /// Ends it; what is under way comes to its end.
    func end() { hasEnded.store(true, ordering: .relaxed) }

    /// One time.
    func handleScheduledCallback(eventLoop: some EventLoop) {
        guard !hasEnded.load(ordering: .relaxed) else { return }
        work()
        begin(on: eventLoop)
    }
}
