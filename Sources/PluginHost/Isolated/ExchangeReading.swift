import Signal
import Synchronization

/// Progress of the child (the process that runs a plugin), as the host reads it from the shared memory: each number is
/// read once, and validated before use. For the audio thread.
///
/// The numbers of skipped and processed frames only grow, from 0 up to the number of frames passed to the child. Any
/// other number means that the plugin has overwritten the memory. `first` and `done` here are always between 0 and the
/// number of frames passed, so that no sum of these numbers and a call's frames overflows.
struct ExchangeReading: BitwiseCopyable, Sendable {
    /// Number of frames that the child has processed or skipped.
    private(set) var done = 0
    /// Position after the frames that the child skipped last; 0 if it has skipped none.
    private(set) var first = 0

    /// Reads the child's progress after `place` frames were passed to it. Returns false, and keeps the last valid
    /// numbers, if the new ones are impossible.
    @_noLocks
    mutating func look(_ head: SharedPlace<ExchangeHead>, place: Int) -> Bool {
        // The order matters: the child publishes skipped frames before processed ones.
        let done = head.pointee.done.load(ordering: .sequentiallyConsistent)
        let first = head.pointee.first.load(ordering: .sequentiallyConsistent)
        guard done >= self.done, done <= place, first >= self.first, first <= place else { return false }
        (self.done, self.first) = (done, first)
        return true
    }

    /// Returns the latency that the plugin reports, frames; 0 if it is negative or exceeds `longest`. The limit exists
    /// because parallel paths are delayed by the same time, which takes memory.
    static func latency(_ head: SharedPlace<ExchangeHead>, longest: Int) -> Int {
        let told = head.pointee.latency.load(ordering: .relaxed)
        return (0...longest).contains(told) ? told : 0
    }
}
