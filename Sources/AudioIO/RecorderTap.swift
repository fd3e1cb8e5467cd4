import CRealtime
import Signal
import Synchronization

/// Where the audio thread leaves the two ears' sound for the recorder.
struct RecorderTap: ~Copyable {
    /// Most frames left at a time: the longest cycle of any driver.
    static var longestPush: Int { @_noLocks get { 8192 } }

    /// Frames that found no room since the beginning.
    let droppedFrames = Atomic<Int>(0)
    /// Set by the recorder when it has given up: nobody empties the queue any more.
    let isAbandoned = Atomic<Bool>(false)
    private let ring: FrameRing
    private var isOpen: Bool

    /// A tap for `capacityFrames` frames at least; closed until a stream start where `waitsForStart` is true.
    init(capacityFrames: Int, waitsForStart: Bool) {
        ring = FrameRing(channels: 2, minimumCapacity: max(Self.longestPush, capacityFrames))
        isOpen = !waitsForStart
    }

    deinit { ring.deallocate() }

    /// Leaves up to 8192 frames. Live, a full queue loses them and counts them; otherwise the recorder is waited for.
    /// Audio thread.
    @_noLocks
    mutating func push(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int, isStreamStart: Bool,
        live: Bool
    ) {
        if isStreamStart { isOpen = true }
        guard isOpen else { return }
        while ring.room < frames {
            if live || isAbandoned.load(ordering: .relaxed) {
                droppedFrames.wrappingAdd(frames, ordering: .relaxed)
                return
            }
            prc_yield()
        }
        ring.write(left, channel: 0, count: frames)
        ring.write(right, channel: 1, count: frames)
        ring.publish(frames)
    }

    /// Takes up to `limit` frames into `interleaved`; returns how many. Recorder's thread.
    func pop(into interleaved: UnsafeMutablePointer<Float>, limit: Int) -> Int {
        let count = min(limit, ring.waiting)
        ring.read(interleaved: interleaved, count: count)
        ring.release(count)
        return count
    }
}
