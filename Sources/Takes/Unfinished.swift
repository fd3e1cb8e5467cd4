import Synchronization

/// Unfinished files of this process. Each file has an action for an early exit of the process, which completes a take
/// or removes a useless output. May be used on any thread.
package enum Unfinished {
    private struct Pieces {
        var next = 0
        var all: [Int: @Sendable () -> Void] = [:]
    }
    private static let pieces = Mutex(Pieces())

    /// Adds an action and returns its number. `settle` runs on the thread that calls `settle()`, at most once, and must
    /// return within two seconds.
    package static func add(_ settle: @escaping @Sendable () -> Void) -> Int {
        pieces.withLock {
            $0.next += 1
            $0.all[$0.next] = settle
            return $0.next
        }
    }

    /// Removes an action, because its file is complete or removed.
    package static func forget(_ number: Int) { pieces.withLock { _ = $0.all.removeValue(forKey: number) } }

    /// Runs and removes all actions.
    package static func settle() {
        let all = pieces.withLock { pieces in
            defer { pieces.all = [:] }
            return pieces.all.values
        }
        for settle in all { settle() }
    }
}
