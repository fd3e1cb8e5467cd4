import Synchronization

/// How many are connected at a door.
final class ConnectionCount: Sendable {
    /// Connections at a time.
    static let most = 64
    private let count = Mutex(0)

    /// One more; false: there is no room.
    func enter() -> Bool {
        count.withLock { count in
            guard count < Self.most else { return false }
            count += 1
            return true
        }
    }

    /// One less.
    func leave() { count.withLock { $0 -= 1 } }
}
