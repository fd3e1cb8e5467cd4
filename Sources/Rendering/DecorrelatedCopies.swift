import Convolution
import Signal
import Soundstage

/// Decorrelated copies of one programme's sources, which give them width: two for each source, as inputs of the filters
/// of a `SpreadBank`.
///
/// At rest, without cost, while no source is wide; the copies begin with silence when one becomes wide. Made off the
/// audio thread, used by it alone.
struct DecorrelatedCopies: ~Copyable {
    /// Last samples of the copies: source i of `sources` has rows 2·i and 2·i + 1.
    var history: SourceHistory
    /// Whether copies are made in this slice.
    private(set) var isActive = false
    /// Whether a source has a width of its own, independent of the programme's.
    private let isAlwaysWide: Bool
    private let first: Int
    private let count: Int
    /// `[source of the stage − first]`: its first row; −1 for a source that cannot be wide.
    private let rows: UnsafeMutablePointer<Int>
    private let decorrelators: UnsafeMutablePointer<Decorrelator>
    private let decorrelatorCount: Int
    /// Gain of the copies' inputs: 1, after a ramp where they begin in the midst of sound, which avoids a click.
    private var feed: SmoothGain

    /// Makes copies at rest for some of a stage's sources, by their numbers, in order; at least one. `number`: of the
    /// first source among all that can be wide, so that up to eight sources have different copies.
    init(_ sources: [Int], number: Int, isAlwaysWide: Bool, slice: Int, kept: Int, sampleRate: SampleRate) {
        self.isAlwaysWide = isAlwaysWide
        first = sources.min() ?? 0
        count = (sources.max() ?? 0) - first + 1
        rows = .allocate(capacity: count)
        rows.initialize(repeating: -1, count: count)
        let (copies, first) = (SourceSpread.copies, first)
        for (place, source) in sources.enumerated() { rows[source - first] = copies * place }
        decorrelatorCount = copies * sources.count
        decorrelators = .allocate(capacity: max(1, decorrelatorCount))
        for index in 0..<decorrelatorCount {
            let delays = DecorrelatedCopies.delays(copies * number + index)
                .map { max(1, Int((Double($0) * sampleRate.hertz / 48_000).rounded())) }
            (decorrelators + index).initialize(to: Decorrelator(delays: delays, gain: DecorrelatedCopies.gain))
        }
        feed = SmoothGain(1, seconds: DecorrelatedCopies.entry, sampleRate: sampleRate.hertz)
        history = SourceHistory(sourceCount: decorrelatorCount, slice: slice, kept: kept)
    }

    deinit {
        rows.deallocate()
        decorrelators.deinitialize(count: decorrelatorCount)
        decorrelators.deallocate()
    }

    /// Fade-in of copies that begin in the midst of sound, seconds.
    static let entry = 0.03
    /// Gain of the all-passes.
    static let gain: Float = 0.5

    /// Returns the delays of the all-passes of copy `index` at 48 kHz, in samples; a source's two copies are
    /// neighbours.
    ///
    /// Found by a random search for the least coherence of a copy with its source (rms 0.22 for the first, 0.19 for the
    /// second) and of the two copies (0.33), in third octaves from 250 Hz to 12 kHz and at lags up to 0.7 ms. The three
    /// delays of a copy add up to 9.6 ms (first) or 16 ms (second) at most. Longer ones are less coherent and smear
    /// more.
    static func delays(_ index: Int) -> [Int] {
        let table = [
            [134, 148, 174], [178, 202, 362], [131, 153, 174], [149, 254, 356], [137, 139, 180], [165, 278, 295],
            [106, 170, 176], [171, 210, 363], [136, 140, 176], [131, 233, 374], [28, 198, 200], [107, 243, 373],
            [130, 153, 169], [142, 242, 375], [120, 163, 175], [129, 208, 379],
        ]
        return table[index % table.count]
    }

    /// Stops the copies; they begin again with silence.
    @_noLocks
    mutating func restart() { isActive = false }

    /// Begins a slice. `isWide`: the programme has width in it or is about to; `anew`: the stream begins with it.
    @_noLocks
    mutating func beginSlice(isWide: Bool, anew: Bool) {
        let isNeeded = isWide || isAlwaysWide
        if isNeeded && !isActive {
            history.reset()
            for index in 0..<decorrelatorCount { decorrelators[index].reset() }
            feed.jump(to: anew ? 1 : 0)
            feed.aim(at: 1)
        }
        isActive = isNeeded
    }

    /// Reads samples of a source of the stage for the slice's frames from `position` on. Cost: about 2 ns per section
    /// and sample.
    @_noLocks
    func take(_ source: Int, _ samples: UnsafePointer<Float>, at position: Int, count: Int) {
        guard isActive, source >= first, source - first < self.count, rows[source - first] >= 0 else { return }
        for copy in 0..<SourceSpread.copies {
            let row = rows[source - first] + copy
            let target = history.samples(ofSource: row) + position
            Samples.copy(samples, to: target, count: count)
            feed.apply(to: target, count: count)
            decorrelators[row].process(target, frames: count)
        }
    }

    /// Marks `count` frames of every source as read, and the slice as valid up to `end`.
    @_noLocks
    mutating func complete(upTo end: Int, count: Int) {
        guard isActive else { return }
        feed.advance(count)
        history.complete(upTo: end)
    }

    /// Ends a complete slice.
    @_noLocks
    mutating func endSlice() { if isActive { history.advance() } }
}
