import Signal
import Synchronization

/// Progress of a child as the host reads it from the shared memory: each number once, and validated before use. The
/// audio thread's.
///
/// The numbers of frames skipped and done only grow, from 0 up to the frames handed over. Any other number means that
/// the plugin has overwritten the memory. `first` and `done` here always lie between 0 and the frames handed over, so
/// that sums of them and of a call's frames fit an `Int`.
struct ExchangeReading: BitwiseCopyable, Sendable {
    /// Frames that the child has processed or skipped.
    private(set) var done = 0
    /// First frame of the sound that exists.
    private(set) var first = 0

    /// Reads the child's progress in `place` frames handed over; false where its numbers are impossible, in which case
    /// the last valid ones stay.
    @_noLocks
    mutating func look(_ head: SharedPlace<ExchangeHead>, place: Int) -> Bool {
        // In this order: the child publishes skipped frames before done ones.
        let done = head.pointee.done.load(ordering: .sequentiallyConsistent)
        let first = head.pointee.first.load(ordering: .sequentiallyConsistent)
        guard done >= self.done, done <= place, first >= self.first, first <= place else { return false }
        (self.done, self.first) = (done, first)
        return true
    }

    /// Returns the latency that the plugin reports, frames; 0 where it is impossible or exceeds `longest`: parallel
    /// paths are delayed in memory by as much.
    static func latency(_ head: SharedPlace<ExchangeHead>, longest: Int) -> Int {
        let told = head.pointee.latency.load(ordering: .relaxed)
        return (0...longest).contains(told) ? told : 0
    }
}
