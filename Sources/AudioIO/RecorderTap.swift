import CRealtime
import Signal
import Synchronization

/// Ring buffer that passes the two outputs from the audio thread to the recorder.
struct RecorderTap: ~Copyable {
    /// Most frames in a push: the longest cycle of any driver.
    static var longestPush: Int { @_noLocks get { 8192 } }

    /// Frames lost since the start because the ring was full.
    let droppedFrames = Atomic<Int>(0)
    /// Whether the recorder has stopped and no longer empties the ring. The recorder sets it.
    let isAbandoned = Atomic<Bool>(false)
    /// Position of the newest push. Bits 32…63: clock of its first frame. Bits 0…31: number of that frame in the
    /// recording.
    private let place = Atomic<UInt64>(0)
    /// Whether the newest push was live. Only then is the clock related to the time at which a frame is heard.
    private let isLive = Atomic<Bool>(false)
    private let ring: FrameRing
    private var isOpen: Bool

    /// Allocates a tap for at least `capacityFrames` frames. With `waitsForStart`, pushes are ignored until a stream
    /// starts.
    init(capacityFrames: Int, waitsForStart: Bool) {
        ring = FrameRing(channels: 2, minimumCapacity: max(Self.longestPush, capacityFrames))
        isOpen = !waitsForStart
    }

    deinit { ring.deallocate() }

    /// Pushes up to 8192 frames. In real time, a push that does not fit is dropped as a whole and counted. In freewheel
    /// the call waits until there is room or the recorder has stopped. `clock` is the driver's frame clock at the first
    /// frame. Called on the audio thread.
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

    /// Frames pushed so far. May be read on any thread.
    var publishedFrames: Int { ring.published }

    /// Returns the recording's frame for a frame of the driver's clock. The result is at most the number of frames
    /// pushed so far; in freewheel it is that number. May be called on any thread.
    func frame(atClock clock: UInt32) -> Int {
        let published = ring.published
        guard published > 0, isLive.load(ordering: .relaxed) else { return published }
        let place = place.load(ordering: .relaxed)
        let number = UInt32(truncatingIfNeeded: place)
        let first = published + Int(Int32(bitPattern: number &- UInt32(truncatingIfNeeded: published)))
        let ahead = Int(Int32(bitPattern: clock &- UInt32(truncatingIfNeeded: place >> 32)))
        return min(published, max(0, first + ahead))
    }

    /// Moves up to `limit` frames into `interleaved`. Returns their number. Called on the recorder's thread.
    func pop(into interleaved: UnsafeMutablePointer<Float>, limit: Int) -> Int {
        let count = min(limit, ring.waiting)
        ring.read(interleaved: interleaved, count: count)
        ring.release(count)
        return count
    }
}
