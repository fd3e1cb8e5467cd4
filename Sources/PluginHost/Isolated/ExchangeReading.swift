import Signal
import Synchronization

/// What a child says in the memory it shares, as the host reads it: each number once, and held against what it can be
/// before anything is made of it. The audio thread's.
///
/// What the child leaves out and what it has done only grows, from 0 to what was handed over: other numbers are no
/// child of ours, but a plugin that writes over its process's memory. What is here always satisfies `0 <= first <=
/// handed over` and `0 <= done <= handed over`, so that sums of it and of frames of a call fit an `Int`.
struct ExchangeReading: BitwiseCopyable, Sendable {
    /// Frames that are done, or were left out.
    private(set) var done = 0
    /// The first frame of the sound that is there.
    private(set) var first = 0

    /// Reads how far the child has come, of `place` frames that were handed over; false where its numbers cannot be,
    /// and then what was read last stays.
    @_noLocks
    mutating func look(_ head: SharedPlace<ExchangeHead>, place: Int) -> Bool {
        // In this order: what is left out is said before what is done.
        let done = head.pointee.done.load(ordering: .sequentiallyConsistent)
        let first = head.pointee.first.load(ordering: .sequentiallyConsistent)
        guard done >= self.done, done <= place, first >= self.first, first <= place else { return false }
        (self.done, self.first) = (done, first)
        return true
    }

    /// Frames by which the plugin says its output is late; 0 where that is none, or more than `longest`: whatever
    /// stands beside it is kept as long in memory.
    static func latency(_ head: SharedPlace<ExchangeHead>, longest: Int) -> Int {
        let told = head.pointee.latency.load(ordering: .relaxed)
        return (0...longest).contains(told) ? told : 0
    }
}
