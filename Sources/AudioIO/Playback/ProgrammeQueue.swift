import CRealtime
import Signal
import Synchronization

/// Queue of frames from a reader's thread to the audio thread. Start, pause and seek cause no clicks.
///
/// A jump begins a new *take*, which is a stretch of sound without a jump. This has four steps. The reader raises
/// `wantedTake`. The audio thread fades out, sets `parkedTake` and stops reading. The reader empties the queue, fills
/// it from the new position and sets `readyTake`. The audio thread fades in.
///
/// In freewheel the audio thread waits for missing frames. In real time it plays silence in their place, with fades
/// before and after the silence, and counts the missing frames.
struct ProgrammeQueue: ~Copyable {
    /// Length of a fade from silence to full level, frames: 10 ms at 48 kHz.
    private static var fadeFrames: Int { @_noLocks get { 480 } }

    /// Channels of a frame.
    let channelCount: Int
    private let ring: FrameRing
    /// Whether the frames published so far include the last ones of the take.
    let isComplete = Atomic<Bool>(false)
    /// Whether the queue is no longer filled.
    let isAbandoned = Atomic<Bool>(false)
    /// Number of the take that the reader has requested.
    let wantedTake = Atomic<Int>(0)
    /// Number of the newest take whose frames are in the queue.
    let readyTake = Atomic<Int>(0)
    /// Number of the take for which the audio thread has stopped reading.
    let parkedTake = Atomic<Int>(0)
    /// Whether the user has paused playback.
    let isPaused = Atomic<Bool>(false)
    /// Linear gain, as the bits of a Float. The gain in use changes linearly within one period.
    let gain = Atomic<UInt32>(Float(1).bitPattern)
    /// Bit 63: whether to play. Bits 0…31: frame of the server's clock at which the first take starts.
    let begin = Atomic<UInt64>(0)
    /// Number of underruns in real time.
    let underruns = Atomic<Int>(0)
    /// Number of frames of silence that underruns caused.
    let missedFrames = Atomic<Int>(0)
    /// Whether the take was played to its end, or to the last frame of an abandoned queue.
    let hasEnded = Atomic<Bool>(false)

    // The following properties belong to the audio thread.
    private var take = 0
    private var fade = Fade(length: ProgrammeQueue.fadeFrames, isIn: true)
    /// Linear gain at the end of the last period.
    private var gainNow: Float = 1
    /// Whether frames are missing in real time. It stays true until the queue has a reserve again.
    private var isStarved = false

    /// Allocates a queue for at least `capacityFrames` frames.
    init(channels: Int, capacityFrames: Int) {
        channelCount = channels
        ring = FrameRing(channels: channels, minimumCapacity: max(16384, capacityFrames))
    }

    deinit { ring.deallocate() }

    /// Number of frames played so far, over all takes. May be read on any thread.
    var playedFrames: Int { ring.released }

    // MARK: The reader's side

    /// Free room in frames, for the reader's thread.
    var room: Int { ring.room }

    /// Number of frames that wait, for the reader's thread.
    var waiting: Int { ring.waiting }

    /// Appends up to `room` interleaved frames. Called on the reader's thread.
    func push(_ frames: UnsafePointer<Float>, count: Int) {
        ring.write(interleaved: frames, count: count)
        ring.publish(count)
    }

    /// Discards the frames that wait. Called on the reader's thread when the audio thread has stopped reading.
    func empty() { ring.takeBack() }

    // MARK: The audio thread's side

    /// Plays one period into a row per channel. Called on the audio thread; cannot fail.
    ///
    /// - Parameters:
    ///   - firstFrame: The period's first frame on the server's clock, which wraps.
    ///   - live: False in freewheel. The call then waits for missing frames.
    @_noLocks
    mutating func play(
        into rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, frames: Int, firstFrame: UInt32, live: Bool
    ) {
        let asked = begin.load(ordering: .acquiring)
        let ahead = Int(Int32(bitPattern: UInt32(truncatingIfNeeded: asked) &- firstFrame))
        var done = asked & (1 << 63) == 0 ? frames : take == 0 && ring.released == 0 ? max(0, ahead) : 0
        done = min(done, frames)
        for channel in 0..<channelCount { prc_zero(rows[channel], done * 4) }
        while done < frames {
            let wanted = wantedTake.load(ordering: .acquiring)
            let isHeld = isPaused.load(ordering: .relaxed) || wanted != take
            if isHeld, fade.isOut {
                guard change(to: wanted, live: live) else { break }
                continue
            }
            let count = available(upTo: isHeld ? min(frames - done, fade.position) : frames - done, live: live)
            guard count > 0 else { break }
            move(count, into: rows, at: done, falls: isHeld)
            done += count
        }
        guard done < frames else { return }
        for channel in 0..<channelCount { prc_zero(rows[channel] + done, (frames - done) * 4) }
    }

    /// Switches to the wanted take, in silence, when it is ready. Returns whether there is sound to play now.
    @_noLocks
    private mutating func change(to wanted: Int, live: Bool) -> Bool {
        guard wanted != take else { return false }
        parkedTake.store(wanted, ordering: .releasing)
        while readyTake.load(ordering: .acquiring) != wanted {
            if live || isAbandoned.load(ordering: .relaxed) || wantedTake.load(ordering: .relaxed) != wanted {
                return false
            }
            prc_yield()
        }
        take = wanted
        isStarved = false
        hasEnded.store(false, ordering: .relaxed)
        return !isPaused.load(ordering: .relaxed)
    }

    /// Returns the number of frames to play now, at most `wanted`. In freewheel the call waits for these frames. In
    /// real time the sound fades out while the queue still has enough frames for the fade. It fades in again when the
    /// queue has a reserve.
    @_noLocks
    private mutating func available(upTo wanted: Int, live: Bool) -> Int {
        while true {
            // Completeness is read first. All frames that were pushed before it was set are then visible.
            let isLast = isComplete.load(ordering: .acquiring) || isAbandoned.load(ordering: .relaxed)
            let waiting = ring.waiting
            if isLast || (live ? waiting >= wanted + reserve : waiting >= wanted) {
                isStarved = false
                if waiting == 0 {
                    fade.jump(isIn: false)
                    hasEnded.store(true, ordering: .releasing)
                }
                return min(waiting, wanted)
            }
            if live {
                if !isStarved { underruns.wrappingAdd(1, ordering: .relaxed) }
                isStarved = true
                let count = min(wanted, min(fade.position, waiting))
                // After the last frames of a fade, the caller requests the rest of the period again, and the count is
                // then 0.
                if count == 0 { missedFrames.wrappingAdd(wanted, ordering: .relaxed) }
                return count
            }
            if wantedTake.load(ordering: .relaxed) != take { return min(waiting, wanted) }
            prc_yield()
        }
    }

    /// Number of frames that must wait in the queue in addition to those to be played now, in real time.
    private var reserve: Int { @_noLocks get { isStarved ? 8 * Self.fadeFrames : Self.fadeFrames } }

    /// Plays `count` frames. The fade advances by one step per frame.
    @_noLocks
    private mutating func move(
        _ count: Int, into rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, at offset: Int, falls: Bool
    ) {
        let goal = Float(bitPattern: gain.load(ordering: .relaxed))
        let step = (goal - gainNow) / Float(count)
        let comes = !falls && !isStarved
        let isFading = !comes || !fade.isIn
        for channel in 0..<channelCount {
            let row = rows[channel] + offset
            ring.read(into: row, channel: channel, count: count)
            guard isFading || step != 0 || gainNow != 1 else { continue }
            for i in 0..<count {
                var sample = row[i]
                if step != 0 || gainNow != 1 { sample *= gainNow + step * Float(i + 1) }
                if isFading { sample *= fade.line(ahead: i, comes: comes) }
                row[i] = sample
            }
        }
        if isFading { fade.advance(count, comes: comes) }
        gainNow = goal
        ring.release(count)
    }
}
