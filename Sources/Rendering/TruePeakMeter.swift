import Glibc
import Signal

/// Meter of peaks between the samples of two ears, by eightfold interpolation with 48 taps.
///
/// ITU-R BS.1770-5, Annex 2, requires at least fourfold oversampling and gives a filter of twelve taps. Near half the
/// sample rate, the coarse grid alone reads up to 0.7 dB too little, and the short filter makes the error larger. This
/// meter has a grid twice as fine, and a sinc of 48 taps with a Kaiser window (β = 4). Any finite interpolator
/// underestimates peaks of frequencies close to half the rate. At these frequencies a peak exceeds the larger of its
/// two neighbouring samples most, so this excess is enlarged by half. A tone of 1 kHz is read within 0.02 dB. A tone of
/// 5 kHz is read at most 0.3 dB too high, a tone of a quarter of the rate at most 1.2 dB too high.
///
/// libebur128's filter, a fourfold sinc of 12 taps per phase with Hann's window, sometimes reads too much (0.5 dB for
/// white noise). It is evaluated as well, and the larger peak counts.
struct TruePeakMeter: ~Copyable {
    /// Delay, frames, from a sample to the last peak estimate beside it: half of the filter's taps.
    static var delay: Int { @_noLocks get { 24 } }
    private static var taps: Int { @_noLocks get { 48 } }
    /// Number of interpolated points between two samples.
    private static var points: Int { @_noLocks get { 7 } }
    /// Number of interpolated points of libebur128's filter.
    private static var libraryPoints: Int { @_noLocks get { 3 } }
    /// Taps per point of libebur128's filter.
    private static var libraryTaps: Int { @_noLocks get { 12 } }
    /// Share of the excess of a peak over its neighbouring samples that is added to the peak.
    private static var margin: Float { @_noLocks get { 0.5 } }

    /// `[point][tap]`: taps of this meter's filter. `libraryFilters` has those of libebur128's filter.
    private let filters: UnsafeMutablePointer<Float>
    private let libraryFilters: UnsafeMutablePointer<Float>
    /// Largest possible ratio of a peak to the largest sample.
    private let bound: Float
    /// `[ear]`: 47 past samples, then the samples of the chunk.
    private let heard: PlanarBlock
    /// Rows of results: one per point of `filters`, one per point of `libraryFilters`, one for the peaks between
    /// samples, and one for the larger of the two samples beside them.
    private let work: PlanarBlock
    private let points: UnsafeMutablePointer<UnsafePointer<Float>?>
    /// `[ear][2]`: rows of the two samples between which the points lie.
    private let beside: UnsafeMutablePointer<UnsafePointer<Float>?>
    private let chunk: Int

    /// Makes a meter for up to `chunk` frames at once.
    init(chunk: Int) {
        self.chunk = chunk
        let (taps, count) = (TruePeakMeter.taps, TruePeakMeter.points)
        filters = .allocate(capacity: count * taps)
        var largest = 0.0
        for point in 0..<count {
            let row = KaiserInterpolator.taps(taps, at: Double(point + 1) / Double(count + 1), shape: 4)
            for tap in 0..<taps { (filters + point * taps + tap).initialize(to: Float(row[tap])) }
            largest = max(largest, row.reduce(0) { $0 + abs($1) })
        }
        bound = Float(largest) * (1 + TruePeakMeter.margin) * 1.001
        let (libraryTaps, libraryCount) = (TruePeakMeter.libraryTaps, TruePeakMeter.libraryPoints)
        libraryFilters = .allocate(capacity: libraryCount * libraryTaps)
        for point in 0..<libraryCount {
            for tap in 0..<libraryTaps {
                // `x` is never a whole number.
                let x = Double(tap - libraryTaps / 2) + Double(point + 1) / Double(libraryCount + 1)
                let window = 0.5 + 0.5 * cos(.pi * x / Double(libraryTaps / 2))
                (libraryFilters + point * libraryTaps + tap).initialize(to: Float(sin(.pi * x) / (.pi * x) * window))
            }
        }
        heard = PlanarBlock(channels: 2, frames: chunk + taps - 1)
        work = PlanarBlock(channels: count + libraryCount + 2, frames: chunk)
        points = .allocate(capacity: count + libraryCount)
        for point in 0..<count + libraryCount { (points + point).initialize(to: UnsafePointer(work[point])) }
        beside = .allocate(capacity: 4)
        for ear in 0..<2 {
            (beside + 2 * ear).initialize(to: UnsafePointer(heard[ear] + taps / 2 - 1))
            (beside + 2 * ear + 1).initialize(to: UnsafePointer(heard[ear] + taps / 2))
        }
    }

    deinit {
        filters.deallocate()
        libraryFilters.deallocate()
        points.deallocate()
        beside.deallocate()
    }

    /// Sets the past samples to silence.
    @_noLocks
    mutating func reset() {
        for ear in 0..<2 { Samples.clear(heard[ear], count: chunk + TruePeakMeter.taps - 1) }
    }

    /// Writes to `peaks`, for each of `count` ≤ chunk frames, the larger true peak of both ears, `delay` frames late.
    /// An ear in which no peak can exceed `threshold` counts as 0. Cost: one scan of the samples, and 372 multiply-adds
    /// per frame for each ear whose peaks can exceed the threshold.
    @_noLocks
    mutating func measure(
        _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, count: Int, threshold: Float,
        peaks: UnsafeMutablePointer<Float>
    ) {
        let past = TruePeakMeter.taps - 1
        let count = min(count, chunk)
        Samples.copy(left, to: heard[0] + past, count: count)
        Samples.copy(right, to: heard[1] + past, count: count)
        Samples.clear(peaks, count: count)
        for ear in 0..<2 {
            if Samples.peak(heard[ear], count: past + count) * bound > threshold { add(ear, count: count, to: peaks) }
            for i in 0..<past { heard[ear][i] = heard[ear][count + i] }
        }
    }

    /// Raises `peaks` to the peaks of one ear where these are larger.
    @_noLocks
    private func add(_ ear: Int, count: Int, to peaks: UnsafeMutablePointer<Float>) {
        let (taps, number) = (TruePeakMeter.taps, TruePeakMeter.points)
        for point in 0..<number {
            Samples.filter(heard[ear], by: filters + point * taps, taps: taps, to: work[point], count: count)
        }
        let library = TruePeakMeter.libraryPoints
        for point in 0..<library {
            Samples.filter(
                heard[ear] + (taps - TruePeakMeter.libraryTaps) / 2,
                by: libraryFilters + point * TruePeakMeter.libraryTaps, taps: TruePeakMeter.libraryTaps,
                to: work[number + point], count: count)
        }
        let (between, samples) = (work[number + library], work[number + library + 1])
        Samples.envelope(points + number, rowCount: library, to: between, count: count)
        for i in 0..<count { peaks[i] = max(peaks[i], between[i]) }
        Samples.envelope(points, rowCount: number, to: between, count: count)
        Samples.envelope(beside + 2 * ear, rowCount: 2, to: samples, count: count)
        for i in 0..<count {
            let excess = max(0, between[i] - samples[i])
            peaks[i] = max(peaks[i], max(between[i], samples[i]) + TruePeakMeter.margin * excess)
        }
    }
}
