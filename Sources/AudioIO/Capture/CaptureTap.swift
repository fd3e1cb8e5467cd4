import CRealtime
import Signal
import Synchronization

/// Ring buffer that passes the inputs from the audio thread to the capturing thread.
struct CaptureTap: ~Copyable {
    /// A frame with its time of arrival.
    struct Moment: BitwiseCopyable, Sendable {
        /// Number of the frame; −1 before the first frame.
        var frame = -1
        /// Time of the host's monotonic clock, nanoseconds.
        var nanoseconds: UInt64 = 0
    }

    /// Frames lost, because they were skipped or because the ring was full.
    let lostFrames = Atomic<Int>(0)
    /// Whether the ring is no longer emptied.
    let isAbandoned = Atomic<Bool>(false)
    private let moment: LatestValue<Moment>
    private let ring: FrameRing
    /// Frame of the clock at which the next cycle should start; nil before the first cycle.
    private var expected: UInt32?

    /// Allocates a tap with room for at least `seconds` seconds.
    init(channels: Int, seconds: Double, sampleRate: Double) {
        ring = FrameRing(channels: channels, minimumCapacity: Int(seconds * sampleRate))
        moment = LatestValue(Moment())
    }

    deinit {
        ring.deallocate()
        moment.deallocate()
    }

    /// Pushes one cycle whose first frame is at `clock`. In real time, silence replaces frames that the server skipped,
    /// as far as there is room, so that frame numbers correspond to times. A push that does not fit is dropped as a
    /// whole and counted. In freewheel the call waits until there is room or the ring is no longer emptied. Called on
    /// the audio thread.
    @_noLocks
    mutating func push(
        _ rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, frames: Int, clock: UInt32, live: Bool
    ) {
        if live, let expected {
            let skipped = Int(Int32(bitPattern: clock &- expected))
            // A jump of 2²¹ frames (44 s at 48 kHz) or more is a change of clock.
            if skipped > 0, skipped < 1 << 21 { skip(skipped) }
        }
        expected = clock &+ UInt32(truncatingIfNeeded: frames)
        while ring.room < frames {
            if live || isAbandoned.load(ordering: .relaxed) {
                lostFrames.wrappingAdd(frames, ordering: .relaxed)
                return
            }
            prc_yield()
        }
        moment.store(Moment(frame: ring.published, nanoseconds: prc_monotonic_nanoseconds()))
        for channel in 0..<ring.channelCount { ring.write(finite: rows[channel], channel: channel, count: frames) }
        ring.publish(frames)
    }

    @_noLocks
    private func skip(_ frames: Int) {
        lostFrames.wrappingAdd(frames, ordering: .relaxed)
        let count = min(frames, ring.room)
        for channel in 0..<ring.channelCount { ring.write(repeating: 0, channel: channel, count: count) }
        ring.publish(count)
    }

    /// Frames that wait in the ring.
    var waiting: Int { ring.waiting }

    /// Moves up to `limit` frames into a block. Returns their number. Called on the capturing thread.
    func take(into block: borrowing PlanarBlock, limit: Int) -> Int {
        let count = min(limit, ring.waiting)
        for channel in 0..<ring.channelCount { ring.read(into: block[channel], channel: channel, count: count) }
        ring.release(count)
        return count
    }

    /// Returns the number and the arrival time of the newest cycle's first frame. May be called by one thread at a
    /// time.
    func newest() -> Moment { moment.load() }
}
