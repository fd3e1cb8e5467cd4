import CRealtime
import Signal
import Synchronization

/// Where the audio thread leaves what comes in for the thread that captures it.
struct CaptureTap: ~Copyable {
    /// When a frame came in.
    struct Moment: BitwiseCopyable, Sendable {
        /// Frames left before it; −1 before the first.
        var frame = -1
        /// Nanoseconds of the host's monotonic clock.
        var nanoseconds: UInt64 = 0
    }

    /// Frames that were skipped or found no room.
    let lostFrames = Atomic<Int>(0)
    /// Nothing is taken any more.
    let isAbandoned = Atomic<Bool>(false)
    private let moment: LatestValue<Moment>
    private let ring: FrameRing
    /// Frame of the driver's clock with which the next cycle should begin.
    private var expected: UInt32?

    /// A tap with room for `seconds` seconds.
    init(channels: Int, seconds: Double, sampleRate: Double) {
        ring = FrameRing(channels: channels, minimumCapacity: Int(seconds * sampleRate))
        moment = LatestValue(Moment())
    }

    deinit {
        ring.deallocate()
        moment.deallocate()
    }

    /// Leaves one cycle, whose first frame stands at `clock`. Where cycles were skipped live, silence of their length
    /// comes before it, so that time goes on evenly. Live, what finds no room is lost and counted; in freewheel the
    /// taker is waited for. Audio thread.
    @_noLocks
    mutating func push(
        _ rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, frames: Int, clock: UInt32, live: Bool
    ) {
        if live, let expected {
            let skipped = Int(Int32(bitPattern: clock &- expected))
            // More than half a minute is another clock.
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

    /// Frames that wait.
    var waiting: Int { ring.waiting }

    /// Takes up to `limit` frames. The capturing thread.
    func take(into block: borrowing PlanarBlock, limit: Int) -> Int {
        let count = min(limit, ring.waiting)
        for channel in 0..<ring.channelCount { ring.read(into: block[channel], channel: channel, count: count) }
        ring.release(count)
        return count
    }

    /// When the newest cycle began. One thread.
    func newest() -> Moment { moment.load() }
}
