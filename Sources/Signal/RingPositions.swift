import Synchronization

/// Positions of the two threads of a queue. They only rise, except in `FrameRing.takeBack`. The slots between the
/// positions belong to the reading thread, all others to the writing thread.
///
/// Only the writing thread advances `head`, after it has written (release). Only the reading thread advances `tail`,
/// after it has read (release). Each thread loads the other's position with acquire.
@usableFromInline
struct RingPositions: ~Copyable {
    /// Number of elements written since the beginning.
    @usableFromInline let head = Atomic<Int>(0)
    /// Number of elements read since the beginning.
    @usableFromInline let tail = Atomic<Int>(0)

    @usableFromInline
    init() {}

    /// Returns the smallest power of two that is at least `minimum`.
    static func capacity(atLeast minimum: Int) -> Int {
        var capacity = 1
        while capacity < minimum { capacity *= 2 }
        return capacity
    }
}
