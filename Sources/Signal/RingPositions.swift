import Synchronization

/// Positions of the two threads of a queue, counted without end. Elements between them belong to the reading thread,
/// all others to the writing one.
///
/// Only the writing thread advances `head`, after it wrote (release), and only the reading one advances `tail`, after
/// it read (release); each loads the other's position with acquire.
@usableFromInline
struct RingPositions: ~Copyable {
    @usableFromInline let head = Atomic<Int>(0)
    @usableFromInline let tail = Atomic<Int>(0)

    @usableFromInline
    init() {}

    /// Returns the smallest power of two of at least `minimum`.
    static func capacity(atLeast minimum: Int) -> Int {
        var capacity = 1
        while capacity < minimum { capacity *= 2 }
        return capacity
    }
}
