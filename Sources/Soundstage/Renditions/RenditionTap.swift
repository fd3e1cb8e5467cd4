import Signal
import Synchronization

/// Queue from the audio thread to the thread that compares a programme's renditions. If it is full, new frames are
/// dropped.
package struct RenditionTap: ~Copyable {
    /// Number of rows: the input channels of the multichannel rendition, then those of the stereo rendition.
    package let count: Int
    /// The rows, then a channel that is 1 in frames in which the multichannel rendition was delivered, and 0 in others.
    private let ring: FrameRing
    /// Frames since the multichannel rendition was lost, at most `longestAlone`; 0 while it is delivered. Only the
    /// audio thread uses it.
    private let alone = Atomic<Int>(0)
    /// Number of frames that are still queued after the multichannel rendition is lost.
    private let longestAlone: Int
    /// First frame of the present uninterrupted run of queued frames; `Int.max` if there is none.
    private let sound = Atomic<Int>(Int.max)
    /// Number of runs that ended.
    private let breaks = Atomic<Int>(0)
    /// Number of ended runs at the last call of `pop`. Only the reading thread uses it.
    private var seenBreaks = -1

    /// Makes a queue of at least a second.
    init(inputCount: Int, sampleRate: SampleRate) {
        count = inputCount
        ring = FrameRing(channels: count + 1, minimumCapacity: Int(sampleRate.hertz))
        longestAlone = Int(Self.aloneSeconds * sampleRate.hertz)
        alone.store(longestAlone, ordering: .relaxed)
    }

    deinit { ring.deallocate() }

    /// Time for which the stereo rendition is still queued after the multichannel rendition is lost, seconds.
    private static let aloneSeconds = 1.0

    /// Queues up to `ProgrammeSlice.longest` frames if the stereo rendition is delivered, and if the multichannel
    /// rendition is delivered too or was lost less than `aloneSeconds` ago. Called on the audio thread only.
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

    /// Reads exactly `frames` frames into rows, if as many are queued without a break. Frames before a break are
    /// skipped. Called on the reading thread only.
    ///
    /// - Returns: Whether the rows were filled; whether a break was skipped, so that earlier sound is of no use; and
    ///   whether both renditions were delivered in all of the frames.
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
