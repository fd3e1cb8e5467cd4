import Signal
import Synchronization

/// Where the audio thread leaves what a programme's renditions deliver for the thread that compares them. A full queue
/// loses what comes.
package struct RenditionTap: ~Copyable {
    /// Rows: the multichannel rendition's channels as they come in, then left and right of the stereo one.
    package let count: Int
    /// The rows, and last of every frame whether the multichannel rendition was delivered: 1 or 0.
    private let ring: FrameRing
    /// The audio thread's: frames since only the stereo rendition is delivered, and for how many of them it is told.
    private let alone = Atomic<Int>(0)
    private let longestAlone: Int
    /// Frame since which there is anything to read without a break or a loss; `Int.max` while they are not.
    private let sound = Atomic<Int>(Int.max)
    /// How often that ended.
    private let breaks = Atomic<Int>(0)
    /// The reader's: how often it had when last looked.
    private var seenBreaks = -1

    /// A queue of about a second.
    init(inputCount: Int, sampleRate: SampleRate) {
        count = inputCount
        ring = FrameRing(channels: count + 1, minimumCapacity: Int(sampleRate.hertz))
        longestAlone = Int(Self.aloneSeconds * sampleRate.hertz)
        alone.store(longestAlone, ordering: .relaxed)
    }

    deinit { ring.deallocate() }

    /// Seconds for which the stereo rendition is told after the multichannel one went.
    private static let aloneSeconds = 1.0

    /// Leaves up to `ProgrammeSlice.longest` frames, if both renditions are delivered, or the stereo one is and the
    /// other went a moment ago. Audio thread.
    @_noLocks
    func push(
        _ inputs: UnsafePointer<UnsafePointer<Float>>, frames: Int, hasMultichannel: Bool, hasStereo: Bool
    ) {
        let since = hasMultichannel ? 0 : min(longestAlone, alone.load(ordering: .relaxed) + frames)
        alone.store(since, ordering: .relaxed)
        guard hasStereo && since < longestAlone, ring.room >= frames else {
            if sound.exchange(.max, ordering: .releasing) != .max { breaks.wrappingAdd(1, ordering: .releasing) }
            return
        }
        for row in 0..<count { ring.write(inputs[row], channel: row, count: frames) }
        ring.write(repeating: hasMultichannel ? 1 : 0, channel: count, count: frames)
        if sound.load(ordering: .relaxed) == .max { sound.store(ring.published, ordering: .releasing) }
        ring.publish(frames)
    }

    /// Takes exactly `frames` frames into rows, if there are as many in one piece; what is older than a break is passed
    /// over. The reader's thread.
    ///
    /// - Returns: whether rows were filled, whether a piece was passed over, so that what was heard before is of no
    ///   use, and whether both renditions were there in all of them.
    package mutating func pop(
        _ rows: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int
    ) -> (isFilled: Bool, isNew: Bool, isWhole: Bool) {
        let since = sound.load(ordering: .acquiring)
        if since == .max {
            ring.release(ring.waiting)
            return (false, true, false)
        }
        let isNew = breaks.load(ordering: .acquiring) != seenBreaks
        if isNew {
            seenBreaks = breaks.load(ordering: .acquiring)
            ring.release(max(0, since - ring.released))
        }
        guard ring.waiting >= frames else { return (false, isNew, false) }
        for row in 0..<count { ring.read(into: rows[row], channel: row, count: frames) }
        let hasBoth = ring.holds(1, channel: count, count: frames)
        ring.release(frames)
        return (true, isNew, hasBoth)
    }
}
