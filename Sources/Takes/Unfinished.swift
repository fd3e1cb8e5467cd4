import Synchronization

/// What this process has begun to write and not completed, with what is to become of it where the program is left in
/// haste: a take is completed, an output that would be worth nothing is removed. Any thread.
package enum Unfinished {
    private struct Pieces {
        var next = 0
        var all: [Int: @Sendable () -> Void] = [:]
    }
    private static let pieces = Mutex(Pieces())

    /// Something is begun. `settle` is called on another thread, at most once; it must return within a second or two.
    package static func add(_ settle: @escaping @Sendable () -> Void) -> Int {
        pieces.withLock {
            $0.next += 1
            $0.all[$0.next] = settle
            return $0.next
        }
    }

    /// It is completed, or gone.
    package static func forget(_ number: Int) { pieces.withLock { _ = $0.all.removeValue(forKey: number) } }

    /// Settles everything there is.
    package static func settle() {
        let all = pieces.withLock { pieces in
            defer { pieces.all = [:] }
            return pieces.all.values
        }
        for settle in all { settle() }
    }
}
