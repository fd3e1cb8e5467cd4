import CRealtime
import Signal
import Synchronization

/// Where the audio thread leaves all that comes in and goes out for a thread that measures it: a wait-free queue of frames, a
/// ring for each channel, inputs first, then the two ears.
///
/// Frames in `[tail, head)` belong to the measuring thread, all others to the audio thread; `head` is advanced only by the
/// audio thread after it wrote (release), `tail` only by the other after it read (release).
package struct SoundTap: ~Copyable {
    /// Most frames left at a time: the longest cycle of any driver.
    static var longestPush: Int { @_noLocks get { 8192 } }

    /// Channels of a frame: inputs and two ears.
    package let channelCount: Int
    /// Frames that found no room since the beginning.
    package let droppedFrames = Atomic<Int>(0)
    /// Set by the measuring thread when it has ended: nobody empties the queue any more.
    package let isAbandoned = Atomic<Bool>(false)
    /// The frame of the queue with which the stream began anew, −1 before the first time.
    private let restart = Atomic<Int>(-1)
    private let head = Atomic<Int>(0)
    private let tail = Atomic<Int>(0)
    private let mask: Int
    /// Frames the queue has room for.
    package var capacityFrames: Int { mask + 1 }
    private let rings: PlanarBlock
    /// Where the frames that are read begin; the measuring thread's.
    private let heads: UnsafeMutablePointer<UnsafePointer<Float>>

    /// A tap for `inputCount` channels and two ears, with room for `capacityFrames` frames at least.
    package init(inputCount: Int, capacityFrames: Int) {
        var capacity = Self.longestPush
        while capacity < capacityFrames { capacity *= 2 }
        mask = capacity - 1
        channelCount = inputCount + 2
        rings = PlanarBlock(channels: channelCount, frames: capacity)
        heads = .allocate(capacity: channelCount)
    }

    deinit { heads.deallocate() }

    /// Leaves up to 8192 frames, 0 in place of samples that are no numbers. Live, a full queue loses them and counts them;
    /// otherwise the measuring thread is waited for. Audio thread; cost: a copy of each sample.
    @_noLocks
    package func push(
        inputs: UnsafePointer<UnsafePointer<Float>>, outputs: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int,
        isStreamStart: Bool, live: Bool
    ) {
        let first = head.load(ordering: .relaxed)
        if isStreamStart { restart.store(first, ordering: .relaxed) }
        while first + frames - tail.load(ordering: .acquiring) > mask + 1 {
            if live || isAbandoned.load(ordering: .relaxed) {
                droppedFrames.wrappingAdd(frames, ordering: .relaxed)
                return
            }
            prc_yield()
        }
        let slot = first & mask
        let beforeEnd = min(frames, mask + 1 - slot)
        for channel in 0..<channelCount {
            let isInput = channel < channelCount - 2
            let row = isInput ? inputs[channel] : UnsafePointer(outputs[channel - (channelCount - 2)])
            _ = Samples.cleanse(row, to: rings[channel] + slot, count: beforeEnd)
            if beforeEnd < frames {
                _ = Samples.cleanse(row + beforeEnd, to: rings[channel], count: frames - beforeEnd)
            }
        }
        head.store(first + frames, ordering: .releasing)
    }

    /// Shows up to `limit` frames to `listen`, where they lie: a row for each channel, how many, and whether a stream begins with
    /// the first of them; then gives their room back. Returns how many there were; 0, without a call, where none wait.
    /// Measuring thread.
    package func read(
        limit: Int, _ listen: (UnsafePointer<UnsafePointer<Float>>, _ frames: Int, _ isStreamStart: Bool) -> Void
    ) -> Int {
        let first = tail.load(ordering: .relaxed)
        var count = min(limit, head.load(ordering: .acquiring) - first)
        let start = restart.load(ordering: .relaxed)
        // What lies before a new beginning is taken by itself, and so is what lies before the rings' end.
        if start > first { count = min(count, start - first) }
        let slot = first & mask
        count = min(count, mask + 1 - slot)
        guard count > 0 else { return 0 }
        for channel in 0..<channelCount { heads[channel] = UnsafePointer(rings[channel] + slot) }
        listen(UnsafePointer(heads), count, start == first)
        tail.store(first + count, ordering: .releasing)
        return count
    }
}
