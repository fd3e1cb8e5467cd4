import Signal

/// Peaks between the samples of two ears: fourfold oversampling with the filter of ITU-R BS.1770-4, Annex 2.
struct TruePeakMeter: ~Copyable {
    /// Frames from a sample to the peak estimates around it: half of the filter's twelve taps.
    static var delay: Int { @_noLocks get { 6 } }
    private static var taps: Int { @_noLocks get { 12 } }

    /// The annex's table: phases 0 and 1 of the interpolator; 3 and 2 are these reversed.
    private static let phases: [[Float]] = [
        [
            0.001_708_984_375, 0.010_986_328_125, -0.019_653_320_312_5, 0.033_203_125, -0.059_448_242_187_5,
            0.137_329_101_562_5, 0.972_167_968_75, -0.102_294_921_875, 0.047_607_421_875, -0.026_611_328_125,
            0.014_892_578_125, -0.008_300_781_25,
        ],
        [
            -0.029_174_804_687_5, 0.029_296_875, -0.051_757_812_5, 0.089_111_328_125, -0.166_503_906_25,
            0.465_087_890_625, 0.779_785_156_25, -0.200_317_382_812_5, 0.101_562_5, -0.058_227_539_062_5,
            0.033_081_054_687_5, -0.018_920_898_437_5,
        ],
    ]

    /// `[phase][tap]`.
    private let filters: UnsafeMutablePointer<Float>
    /// `[ear]`: eleven samples of the past, then the chunk.
    private let heard: PlanarBlock
    /// `[ear × 4 + phase]`, then the samples themselves.
    private let oversampled: PlanarBlock
    private let rows: UnsafeMutablePointer<UnsafePointer<Float>?>
    private let chunk: Int

    /// A meter for up to `chunk` frames at once.
    init(chunk: Int) {
        self.chunk = chunk
        filters = .allocate(capacity: 4 * TruePeakMeter.taps)
        for phase in 0..<4 {
            let row = phase < 2 ? TruePeakMeter.phases[phase] : TruePeakMeter.phases[3 - phase].reversed()
            for tap in 0..<TruePeakMeter.taps { (filters + phase * TruePeakMeter.taps + tap).initialize(to: row[tap]) }
        }
        heard = PlanarBlock(channels: 2, frames: chunk + TruePeakMeter.taps - 1)
        oversampled = PlanarBlock(channels: 8, frames: chunk)
        rows = .allocate(capacity: 10)
        for row in 0..<8 { (rows + row).initialize(to: UnsafePointer(oversampled[row])) }
        // The sample at the filter's centre: the estimate never falls below the sample peak.
        for ear in 0..<2 {
            (rows + 8 + ear).initialize(to: UnsafePointer(heard[ear] + TruePeakMeter.taps - 1 - TruePeakMeter.delay))
        }
    }

    deinit {
        filters.deallocate()
        rows.deallocate()
    }

    /// Forgets the past.
    @_noLocks
    mutating func reset() {
        for ear in 0..<2 { Samples.clear(heard[ear], count: chunk + TruePeakMeter.taps - 1) }
    }

    /// The largest true peak of both ears for each of `count` ≤ chunk frames, `delay` frames late.
    @_noLocks
    mutating func measure(
        _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, count: Int, peaks: UnsafeMutablePointer<Float>
    ) {
        let past = TruePeakMeter.taps - 1
        Samples.copy(left, to: heard[0] + past, count: count)
        Samples.copy(right, to: heard[1] + past, count: count)
        for row in 0..<8 {
            Samples.filter(
                heard[row / 4], by: filters + (row % 4) * TruePeakMeter.taps, taps: TruePeakMeter.taps,
                to: oversampled[row], count: count)
        }
        Samples.envelope(rows, rowCount: 10, to: peaks, count: count)
        for ear in 0..<2 { for i in 0..<past { heard[ear][i] = heard[ear][count + i] } }
    }
}
