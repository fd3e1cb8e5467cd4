import Signal

/// Largest true peak of several channels according to ITU-R BS.1770-5, Annex 2. The signal is interpolated at least
/// fourfold, and to at least 192 kHz, by a filter of 24 taps per phase (the annex shows a filter of 12). The largest
/// magnitude is kept.
///
/// With fourfold oversampling a tone's peak lies up to an eighth of a sample from the nearest point. The reading is
/// then too low by up to 0.17 dB for a tone at 0.25 of the sample rate, 0.33 dB at 0.35 and 0.44 dB at 0.4. Above 48
/// kHz the annex permits less oversampling. It is fourfold here too, because tones at such fractions of the rate are
/// inaudible there, but still clip. Must not be shared between threads.
struct PeakBetweenSamples: ~Copyable {
    private static let taps = 24
    /// Number of frames of a part, which is interpolated or skipped as a whole.
    private static let part = 128

    private let phases: PlanarBlock
    /// Upper bound of the ratio of an interpolated magnitude to the largest magnitude of the samples.
    private let bound: Float
    /// The last 23 samples of each channel.
    private let past: PlanarBlock
    /// Row 0: past and chunk of one channel. Row 1: their interpolation.
    private let work: PlanarBlock
    private let chunk: Int
    /// Largest magnitude so far, 1 at full scale.
    private(set) var largest: Float = 0

    /// Creates a meter for chunks of up to `chunk` frames.
    init(channels: Int, sampleRate: SampleRate, chunk: Int) {
        self.chunk = chunk
        let factor = max(4, Int((192_000 / sampleRate.hertz).rounded(.up)))
        phases = PlanarBlock(channels: factor - 1, frames: Self.taps)
        past = PlanarBlock(channels: channels, frames: Self.taps - 1)
        work = PlanarBlock(channels: 2, frames: chunk + Self.taps)
        var bound = 1.0
        for phase in 0..<factor - 1 {
            let row = KaiserInterpolator.taps(Self.taps, at: Double(phase + 1) / Double(factor), shape: 5)
            for tap in 0..<Self.taps { phases[phase][tap] = Float(row[tap]) }
            bound = max(bound, row.reduce(0) { $0 + abs($1) })
        }
        self.bound = Float(bound * 1.0001)
    }

    /// Processes `count` frames (at most `chunk`) of a channel. Parts that cannot contain a new largest peak are not
    /// interpolated. Cost: up to 72 multiply-adds per sample at 48 kHz.
    mutating func add(_ row: UnsafePointer<Float>, channel: Int, count: Int) {
        let kept = Self.taps - 1
        Samples.copy(past[channel], to: work[0], count: kept)
        Samples.copy(row, to: work[0] + kept, count: count)
        Samples.copy(work[0] + count, to: past[channel], count: kept)
        var start = 0
        while start < count {
            let part = min(Self.part, count - start)
            let peak = Samples.peak(work[0] + start, count: kept + part)
            if peak * bound > largest {
                largest = max(largest, peak)
                for phase in 0..<phases.channelCount {
                    Samples.filter(work[0] + start, by: phases[phase], taps: Self.taps, to: work[1], count: part)
                    largest = max(largest, Samples.peak(work[1], count: part))
                }
            }
            start += part
        }
    }
}
