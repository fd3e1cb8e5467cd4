import CPlugins
import Foundation
import Synchronization
import Testing

/// The real-time priority of the thread that runs a plugin in a process of its own.
@Suite struct HostedPriorityTests {
    /// Priorities of a thread, and of a thread that it started; −1: unknown.
    private final class Priorities: Sendable {
        let both = Mutex<(own: Int32, begun: Int32)>((-1, -1))
        let isOver = DispatchSemaphore(value: 0)
    }

    /// Returns the priorities of a thread that sets its own, and of a thread that it then starts.
    private static func measured() -> (own: Int32, begun: Int32) {
        let found = Priorities()
        Thread.detachNewThread {
            let code = prc_take_realtime_priority(1)
            found.both.withLock { $0.own = code == 0 ? prc_realtime_priority() : 0 }
            Thread.detachNewThread {
                found.both.withLock { $0.begun = prc_realtime_priority() }
                found.isOver.signal()
            }
        }
        found.isOver.wait()
        return found.both.withLock(\.self)
    }

    @Test(.enabled(if: Self.measured().own > 0, "this machine gives no real-time priority"))
    func `A thread that a plugin starts does not inherit its real-time priority`() {
        let found = Self.measured()
        #expect(found.own == 1 && found.begun == 0)
    }
}
