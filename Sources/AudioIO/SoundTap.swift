import CRealtime
import Signal
import Synchronization

/// Ring buffer that passes all inputs and the two outputs, in this order, from the audio thread to a thread that
/// measures them.
package struct SoundTap: ~Copyable {
    /// Most frames in a push: the longest cycle of any driver.
    static var longestPush: Int { @_noLocks get { 8192 } }

    /// Channels of a frame: the inputs, then the two outputs.
    package let channelCount: Int
    /// Frames lost since the start because the ring was full.
    package let droppedFrames = Atomic<Int>(0)
    /// Whether the measuring thread has ended and no longer empties the ring. The measuring thread sets it.
    package let isAbandoned = Atomic<Bool>(false)
    /// Frame of the ring at which the stream last started; −1 before the first start.
    private let restart = Atomic<Int>(-1)
    /// `droppedFrames` when the stream last started.
    private let droppedBefore = Atomic<Int>(0)
    private let ring: FrameRing
    /// Capacity of the ring in frames.
    package var capacityFrames: Int { ring.capacity }
    /// `[channel]`: address of the oldest frame. Used by the measuring thread.
    private let heads: UnsafeMutablePointer<UnsafePointer<Float>>

    /// Allocates a tap for `inputCount` inputs and two outputs, with room for at least `capacityFrames` frames.
    package init(inputCount: Int, capacityFrames: Int) {
        channelCount = inputCount + 2
        ring = FrameRing(channels: channelCount, minimumCapacity: max(Self.longestPush, capacityFrames))
        heads = .allocate(capacity: channelCount)
    }

    deinit {
        ring.deallocate()
        heads.deallocate()
    }

    /// Pushes up to 8192 frames, with unusable samples replaced (`Samples.cleanse`). In real time, a push that does not
    /// fit is dropped as a whole and counted. In freewheel the call waits until there is room or the measuring thread
    /// has ended. Called on the audio thread. Cost: a copy of each sample.
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

    /// Frames dropped before the last stream start. May be read on any thread.
    package var droppedBeforeRestart: Int { droppedBefore.load(ordering: .relaxed) }

    /// Passes up to `limit` frames to `listen` without copying them, then frees their room. `listen` gets a row for
    /// each channel, the number of frames, and whether a stream starts with the first frame. Returns the number of
    /// frames. If no frame waits, returns 0 and does not call `listen`. Called on the measuring thread.
    package func read(
        limit: Int, _ listen: (UnsafePointer<UnsafePointer<Float>>, _ frames: Int, _ isStreamStart: Bool) -> Void
    ) -> Int {
        let first = ring.released
        var count = min(limit, ring.waiting)
        let start = restart.load(ordering: .relaxed)
        // A read ends where a stream starts, and at the end of the ring.
        if start > first { count = min(count, start - first) }
        count = ring.adjoining(count)
        guard count > 0 else { return 0 }
        for channel in 0..<channelCount { heads[channel] = ring.oldest(channel: channel) }
        listen(UnsafePointer(heads), count, start == first)
        ring.release(count)
        return count
    }
}
