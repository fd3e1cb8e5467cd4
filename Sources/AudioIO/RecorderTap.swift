import CRealtime
import Signal
import Synchronization

/// Where the audio thread leaves the two ears' sound for the recorder.
struct RecorderTap: ~Copyable {
    /// Most frames left at a time: the longest cycle of any driver.
    static var longestPush: Int { @_noLocks get { 8192 } }

    /// Frames that found no room since the beginning.
    let droppedFrames = Atomic<Int>(0)
    /// Set by the recorder when it has given up: the queue is no longer emptied.
    let isAbandoned = Atomic<Bool>(false)
    /// Where the newest frames that were left stand: the driver's clock at their first in bits 32…63, its number in the
    /// recording in bits 0…31.
    private let place = Atomic<UInt64>(0)
    /// Whether they were left live, so that the clock says what is heard.
    private let isLive = Atomic<Bool>(false)
    private let ring: FrameRing
    private var isOpen: Bool

    /// A tap for `capacityFrames` frames at least; closed until a stream start where `waitsForStart` is true.
    init(capacityFrames: Int, waitsForStart: Bool) {
        ring = FrameRing(channels: 2, minimumCapacity: max(Self.longestPush, capacityFrames))
        isOpen = !waitsForStart
    }

    deinit { ring.deallocate() }

    /// Leaves up to 8192 frames. Live, a full queue loses them and counts them; otherwise the recorder is waited for.
    /// `clock`: the driver's frame clock at the first of them. Audio thread.
    @_noLocks
    mutating func push(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int, isStreamStart: Bool,
        live: Bool, clock: UInt32
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
        place.store(
            UInt64(clock) << 32 | UInt64(UInt32(truncatingIfNeeded: ring.published)), ordering: .relaxed)
        isLive.store(live, ordering: .relaxed)
        ring.write(left, channel: 0, count: frames)
        ring.write(right, channel: 1, count: frames)
        ring.publish(frames)
    }

    /// Frames left so far. Any thread.
    var publishedFrames: Int { ring.published }

    /// Which frame of the recording is at a frame of the driver's clock, as far as it has been left; the last where
    /// time is not the clock's. Any thread.
    func frame(atClock clock: UInt32) -> Int {
        let published = ring.published
        guard published > 0, isLive.load(ordering: .relaxed) else { return published }
        let place = place.load(ordering: .relaxed)
        let number = UInt32(truncatingIfNeeded: place)
        let first = published + Int(Int32(bitPattern: number &- UInt32(truncatingIfNeeded: published)))
        let ahead = Int(Int32(bitPattern: clock &- UInt32(truncatingIfNeeded: place >> 32)))
        return min(published, max(0, first + ahead))
    }

    /// Takes up to `limit` frames into `interleaved`; returns how many. Recorder's thread.
    func pop(into interleaved: UnsafeMutablePointer<Float>, limit: Int) -> Int {
        let count = min(limit, ring.waiting)
        ring.read(interleaved: interleaved, count: count)
        ring.release(count)
        return count
    }
}
