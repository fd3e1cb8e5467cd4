import Glibc
import HRTF
import Signal

/// Pink noise of an exact level, for the adjustment of levels. Its period of some seconds repeats without a seam.
///
/// All components lie between 20 Hz and 20 kHz (or 0.45 of the sample rate, if that is lower). Their amplitude falls by
/// 3 dB per octave, and their phase is pseudo-random. The spectrum therefore has the pink slope without random scatter,
/// and the level is exact over a whole period. Not to be made on the audio thread; takes some tens of milliseconds.
struct TestNoise: ~Copyable {
    /// Root mean square, dB relative to full scale (a sample of 1). It is a usual reference level of cinemas and
    /// studios.
    static let level = Decibels(-20)
    /// Minimum length of the period, seconds.
    private static let seconds = 2.5

    let samples: UnsafeMutablePointer<Float>
    let count: Int

    /// Makes the noise for a sample rate. The samples are the same at every call.
    init(sampleRate: SampleRate) {
        let transform = FourierTransform(minimumCount: Int(Self.seconds * sampleRate.hertz))
        count = transform.count
        var real = [Double](repeating: 0, count: transform.count)
        var imaginary = real
        let binHz = sampleRate.hertz / Double(transform.count)
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        for k in 1..<transform.count / 2 {
            let hertz = Double(k) * binHz
            guard (20...min(20_000, 0.45 * sampleRate.hertz)).contains(hertz) else { continue }
            // Linear congruential generator with the constants of Knuth's MMIX.
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let phase = 2 * Double.pi * Double(state >> 11) / Double(1 << 53)
            (real[k], imaginary[k]) = (cos(phase) / sqrt(Double(k)), sin(phase) / sqrt(Double(k)))
            (real[transform.count - k], imaginary[transform.count - k]) = (real[k], -imaginary[k])
        }
        transform.inverse(&real, &imaginary)
        let power = real.reduce(0) { $0 + $1 * $1 } / Double(transform.count)
        let scale = Self.level.amplitude / sqrt(power)
        samples = .allocate(capacity: count)
        for i in 0..<count { (samples + i).initialize(to: Float(real[i] * scale)) }
    }

    deinit { samples.deallocate() }
}
