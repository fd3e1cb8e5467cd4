import Synchronization

/// How far the two threads of a queue have come, counted without end: what is between belongs to the reading thread,
/// all else to the writing one.
///
/// `head` is only advanced by the writing thread, after it wrote (release), `tail` only by the reading one, after it
/// read (release); each sees the other's with acquire.
@usableFromInline
struct RingPositions: ~Copyable {
    @usableFromInline let head = Atomic<Int>(0)
    @usableFromInline let tail = Atomic<Int>(0)

    @usableFromInline
    init() {}

    /// The smallest power of two that holds `minimum`.
    static func capacity(atLeast minimum: Int) -> Int {
        var capacity = 1
        while capacity < minimum { capacity *= 2 }
        return capacity
    }
}
