import CRealtime
import Signal
import Synchronization

/// Where the audio thread leaves all that comes in and goes out for a thread that measures it: inputs first, then the
/// two ears.
package struct SoundTap: ~Copyable {
    /// Most frames left at a time: the longest cycle of any driver.
    static var longestPush: Int { @_noLocks get { 8192 } }

    /// Channels of a frame: inputs and two ears.
    package let channelCount: Int
    /// Frames that found no room since the beginning.
    package let droppedFrames = Atomic<Int>(0)
    /// Set by the measuring thread when it has ended: the queue is no longer emptied.
    package let isAbandoned = Atomic<Bool>(false)
    /// The frame of the queue with which the stream began anew, −1 before the first time.
    private let restart = Atomic<Int>(-1)
    /// `droppedFrames` when it did.
    private let droppedBefore = Atomic<Int>(0)
    private let ring: FrameRing
    /// Frames the queue has room for.
    package var capacityFrames: Int { ring.capacity }
    /// Where the frames that are read begin; the measuring thread's.
    private let heads: UnsafeMutablePointer<UnsafePointer<Float>>

    /// A tap for `inputCount` channels and two ears, with room for `capacityFrames` frames at least.
    package init(inputCount: Int, capacityFrames: Int) {
        channelCount = inputCount + 2
        ring = FrameRing(channels: channelCount, minimumCapacity: max(Self.longestPush, capacityFrames))
        heads = .allocate(capacity: channelCount)
    }

    deinit {
        ring.deallocate()
        heads.deallocate()
    }

    /// Leaves up to 8192 frames, 0 in place of samples that are no numbers. Live, a full queue loses them and counts
    /// them; otherwise the measuring thread is waited for. Audio thread; cost: a copy of each sample.
    @_noLocks
    package func push(
        inputs: UnsafePointer<UnsafePointer<Float>>, outputs: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int,
        isStreamStart: Bool, live: Bool
    ) {
        if isStreamStart {
            droppedBefore.store(droppedFrames.load(ordering: .relaxed), ordering: .relaxed)
            restart.store(ring.published, ordering: .relaxed)
        }
        while ring.room < frames {
            if live || isAbandoned.load(ordering: .relaxed) {
                droppedFrames.wrappingAdd(frames, ordering: .relaxed)
                return
            }
            prc_yield()
        }
        for channel in 0..<channelCount {
            let isInput = channel < channelCount - 2
            let row = isInput ? inputs[channel] : UnsafePointer(outputs[channel - (channelCount - 2)])
            ring.write(finite: row, channel: channel, count: frames)
        }
        ring.publish(frames)
    }

    /// Frames that found no room before the stream last began anew. Any thread.
    package var droppedBeforeRestart: Int { droppedBefore.load(ordering: .relaxed) }

    /// Shows up to `limit` frames to `listen`, where they lie: a row for each channel, how many, and whether a stream
    /// begins with the first of them; then gives their room back. Returns how many there were; 0, without a call, where
    /// none wait. Measuring thread.
    package func read(
        limit: Int, _ listen: (UnsafePointer<UnsafePointer<Float>>, _ frames: Int, _ isStreamStart: Bool) -> Void
    ) -> Int {
        let first = ring.released
        var count = min(limit, ring.waiting)
        let start = restart.load(ordering: .relaxed)
        // What lies before a new beginning is taken by itself, and so is what lies before the ring's end.
        if start > first { count = min(count, start - first) }
        count = ring.adjoining(count)
        guard count > 0 else { return 0 }
        for channel in 0..<channelCount { heads[channel] = ring.oldest(channel: channel) }
        listen(UnsafePointer(heads), count, start == first)
        ring.release(count)
        return count
    }
}
