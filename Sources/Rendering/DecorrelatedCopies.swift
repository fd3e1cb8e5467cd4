import Convolution
import Signal
import Soundstage

/// Decorrelated copies of one programme's sources, which give the sources width. Each source has two copies. They are
/// the inputs of the filters of a `SpreadBank`.
///
/// While no source is wide, no copies are made and there is no cost. When a source becomes wide, its copies begin from
/// silence. The value is made on another thread; only the audio thread uses it.
struct DecorrelatedCopies: ~Copyable {
    /// Newest samples of the copies. Source i of `sources` has rows 2·i and 2·i + 1.
    var history: SourceHistory
    /// Whether copies are made in this slice.
    private(set) var isActive = false
    /// Whether a source has a width of its own, independent of the programme's width.
    private let isAlwaysWide: Bool
    private let first: Int
    private let count: Int
    /// `[source of the stage − first]`: the source's first row; −1 for a source that cannot be wide.
    private let rows: UnsafeMutablePointer<Int>
    private let decorrelators: UnsafeMutablePointer<Decorrelator>
    private let decorrelatorCount: Int
    /// Gain of the copies' inputs. It is 1, except during the fade-in of copies that begin while sound plays. The
    /// fade-in avoids a click.
    private var feed: SmoothGain

    /// Makes copies at rest for the given sources of a stage, at least one, in order of their indices. `number` is the
    /// index of the first given source among all sources that can be wide. The copies of up to eight sources differ.
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

    /// Duration of the fade-in of copies that begin while sound plays, seconds.
    static let entry = 0.03
    /// Gain of the all-pass sections.
    static let gain: Float = 0.5

    /// Returns the delays of the all-pass sections of copy `index`, samples at 48 kHz. The two copies of a source have
    /// neighbouring indices.
    ///
    /// The delays were found by a random search for the least coherence, in third octaves from 250 Hz to 12 kHz and at
    /// lags up to 0.7 ms. The coherence (rms) of the first copy with its source is 0.22, of the second copy 0.19, and
    /// of the two copies 0.33. The three delays of a first copy add up to 9.6 ms at most, of a second copy to 16 ms at
    /// most. Longer delays would reduce the coherence further, but would smear transients more.
    static func delays(_ index: Int) -> [Int] {
        let table = [
            [134, 148, 174], [178, 202, 362], [131, 153, 174], [149, 254, 356], [137, 139, 180], [165, 278, 295],
            [106, 170, 176], [171, 210, 363], [136, 140, 176], [131, 233, 374], [28, 198, 200], [107, 243, 373],
            [130, 153, 169], [142, 242, 375], [120, 163, 175], [129, 208, 379],
        ]
        return table[index % table.count]
    }

    /// Stops the copies. When they are needed again, they begin from silence.
    @_noLocks
    mutating func restart() { isActive = false }

    /// Begins a slice. `isWide` is true if the programme has width in this slice or is about to get it, `anew` if the
    /// stream begins with this slice.
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

    /// Makes the copies of `count` samples of one source of the stage, for the slice's frames from `position` on. Cost:
    /// about 2 ns per all-pass section and sample.
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

    /// Advances the fade-in by `count` frames, and fills the slice from frame `end` on with silence.
    @_noLocks
    mutating func complete(upTo end: Int, count: Int) {
        guard isActive else { return }
        feed.advance(count)
        history.complete(upTo: end)
    }

    /// Ends a slice that is completely rendered.
    @_noLocks
    mutating func endSlice() { if isActive { history.advance() } }
}
