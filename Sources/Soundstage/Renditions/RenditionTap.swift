import Signal
import Synchronization

/// Where the audio thread leaves what a programme's renditions deliver for those who compare them: a wait-free queue of frames,
/// `[channel][frame]`.
///
/// Frames in `[tail, head)` belong to the reader, all others to the audio thread; `head` is advanced only by the audio thread
/// after it wrote (release), `tail` only by the reader after it read (release). A full queue loses what comes.
package struct RenditionTap: ~Copyable {
    /// Rows: the multichannel rendition's channels as they come in, then left and right of the stereo one; then, as they would be
    /// heard at one moment, the feeds that come of stereo, unmatched, and those of the multichannel one.
    package let count: Int
    private let inputCount: Int
    private let samples: UnsafeMutablePointer<Float>
    private let mask: Int
    private let head = Atomic<Int>(0)
    private let tail = Atomic<Int>(0)
    /// Frame since which both renditions are delivered without a break or a loss; `Int.max` while they are not.
    private let sound = Atomic<Int>(Int.max)
    /// How often that ended.
    private let breaks = Atomic<Int>(0)
    /// The reader's: how often it had when last looked.
    private var seenBreaks = -1

    /// A queue of about a second.
    init(inputCount: Int, feedCount: Int, sampleRate: SampleRate) {
        self.inputCount = inputCount
        count = inputCount + 2 * feedCount
        var capacity = 1024
        while capacity < Int(sampleRate.hertz) { capacity *= 2 }
        mask = capacity - 1
        samples = .allocate(capacity: count * capacity)
        samples.initialize(repeating: 0, count: count * capacity)
    }

    deinit { samples.deallocate() }

    /// Leaves up to `ProgrammeSlice.longest` frames. Audio thread.
    @_noLocks
    func push(
        _ inputs: UnsafePointer<UnsafePointer<Float>>, _ heard: UnsafePointer<UnsafeMutablePointer<Float>>,
        frames: Int, hasBoth: Bool
    ) {
        let first = head.load(ordering: .relaxed)
        guard hasBoth, first + frames - tail.load(ordering: .acquiring) <= mask + 1 else {
            if sound.exchange(.max, ordering: .releasing) != .max { breaks.wrappingAdd(1, ordering: .releasing) }
            return
        }
        let start = first & mask
        let whole = min(frames, mask + 1 - start)
        for row in 0..<count {
            let line = samples + row * (mask + 1)
            let source = row < inputCount ? inputs[row] : UnsafePointer(heard[row - inputCount])
            Samples.copy(source, to: line + start, count: whole)
            if whole < frames { Samples.copy(source + whole, to: line, count: frames - whole) }
        }
        if sound.load(ordering: .relaxed) == .max { sound.store(first, ordering: .releasing) }
        head.store(first + frames, ordering: .releasing)
    }

    /// Takes exactly `frames` frames into rows, if there are as many in one piece since both renditions are delivered; what is
    /// older than a break is passed over. The reader's thread.
    ///
    /// - Returns: whether rows were filled, and whether a piece was passed over, so that what was heard before is of no use.
    package mutating func pop(
        _ rows: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int
    ) -> (isFilled: Bool, isNew: Bool) {
        let since = sound.load(ordering: .acquiring)
        let end = head.load(ordering: .acquiring)
        var first = tail.load(ordering: .relaxed)
        if since == .max {
            tail.store(end, ordering: .releasing)
            return (false, true)
        }
        let isNew = breaks.load(ordering: .acquiring) != seenBreaks
        if isNew {
            seenBreaks = breaks.load(ordering: .acquiring)
            first = max(first, since)
            tail.store(first, ordering: .releasing)
        }
        guard end - first >= frames else { return (false, isNew) }
        let start = first & mask
        let whole = min(frames, mask + 1 - start)
        for row in 0..<count {
            let line = samples + row * (mask + 1)
            Samples.copy(line + start, to: rows[row], count: whole)
            if whole < frames { Samples.copy(line, to: rows[row] + whole, count: frames - whole) }
        }
        tail.store(first + frames, ordering: .releasing)
        return (true, isNew)
    }
}
