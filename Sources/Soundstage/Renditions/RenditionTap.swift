import Signal
import Synchronization

/// Where the audio thread leaves what a programme's renditions deliver for those who compare them: a wait-free queue of frames,
/// `[channel][frame]`.
///
/// Frames in `[tail, head)` belong to the reader, all others to the audio thread; `head` is advanced only by the audio thread
/// after it wrote (release), `tail` only by the reader after it read (release). A full queue loses what comes.
package struct RenditionTap: ~Copyable {
    /// Rows: the multichannel rendition's channels as they come in, then left and right of the stereo one.
    package let count: Int
    private let samples: UnsafeMutablePointer<Float>
    /// Of every frame, whether the multichannel rendition was delivered.
    private let isWhole: UnsafeMutablePointer<Bool>
    private let mask: Int
    /// The audio thread's: frames since only the stereo rendition is delivered, and for how many of them it is told.
    private let alone = Atomic<Int>(0)
    private let longestAlone: Int
    private let head = Atomic<Int>(0)
    private let tail = Atomic<Int>(0)
    /// Frame since which there is anything to read without a break or a loss; `Int.max` while they are not.
    private let sound = Atomic<Int>(Int.max)
    /// How often that ended.
    private let breaks = Atomic<Int>(0)
    /// The reader's: how often it had when last looked.
    private var seenBreaks = -1

    /// A queue of about a second.
    init(inputCount: Int, sampleRate: SampleRate) {
        count = inputCount
        var capacity = 1024
        while capacity < Int(sampleRate.hertz) { capacity *= 2 }
        mask = capacity - 1
        longestAlone = Int(Self.aloneSeconds * sampleRate.hertz)
        alone.store(longestAlone, ordering: .relaxed)
        samples = .allocate(capacity: count * capacity)
        samples.initialize(repeating: 0, count: count * capacity)
        isWhole = .allocate(capacity: capacity)
        isWhole.initialize(repeating: false, count: capacity)
    }

    deinit {
        samples.deallocate()
        isWhole.deallocate()
    }

    /// Seconds for which the stereo rendition is told after the multichannel one went.
    private static let aloneSeconds = 1.0

    /// Leaves up to `ProgrammeSlice.longest` frames, if both renditions are delivered, or the stereo one is and the other went
    /// a moment ago. Audio thread.
    @_noLocks
    func push(
        _ inputs: UnsafePointer<UnsafePointer<Float>>, frames: Int, hasMultichannel: Bool, hasStereo: Bool
    ) {
        let since = hasMultichannel ? 0 : min(longestAlone, alone.load(ordering: .relaxed) + frames)
        alone.store(since, ordering: .relaxed)
        let first = head.load(ordering: .relaxed)
        guard hasStereo && since < longestAlone, first + frames - tail.load(ordering: .acquiring) <= mask + 1 else {
            if sound.exchange(.max, ordering: .releasing) != .max { breaks.wrappingAdd(1, ordering: .releasing) }
            return
        }
        for i in 0..<frames { isWhole[(first + i) & mask] = hasMultichannel }
        let start = first & mask
        let whole = min(frames, mask + 1 - start)
        for row in 0..<count {
            let line = samples + row * (mask + 1)
            Samples.copy(inputs[row], to: line + start, count: whole)
            if whole < frames { Samples.copy(inputs[row] + whole, to: line, count: frames - whole) }
        }
        if sound.load(ordering: .relaxed) == .max { sound.store(first, ordering: .releasing) }
        head.store(first + frames, ordering: .releasing)
    }

    /// Takes exactly `frames` frames into rows, if there are as many in one piece; what is older than a break is passed over. The
    /// reader's thread.
    ///
    /// - Returns: whether rows were filled, whether a piece was passed over, so that what was heard before is of no use, and
    ///   whether both renditions were there in all of them.
    package mutating func pop(
        _ rows: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int
    ) -> (isFilled: Bool, isNew: Bool, isWhole: Bool) {
        let since = sound.load(ordering: .acquiring)
        let end = head.load(ordering: .acquiring)
        var first = tail.load(ordering: .relaxed)
        if since == .max {
            tail.store(end, ordering: .releasing)
            return (false, true, false)
        }
        let isNew = breaks.load(ordering: .acquiring) != seenBreaks
        if isNew {
            seenBreaks = breaks.load(ordering: .acquiring)
            first = max(first, since)
            tail.store(first, ordering: .releasing)
        }
        guard end - first >= frames else { return (false, isNew, false) }
        let start = first & mask
        let whole = min(frames, mask + 1 - start)
        for row in 0..<count {
            let line = samples + row * (mask + 1)
            Samples.copy(line + start, to: rows[row], count: whole)
            if whole < frames { Samples.copy(line, to: rows[row] + whole, count: frames - whole) }
        }
        var hasBoth = true
        for i in 0..<frames where !isWhole[(first + i) & mask] { hasBoth = false }
        tail.store(first + frames, ordering: .releasing)
        return (true, isNew, hasBoth)
    }
}
