import Glibc
import Signal

/// Second-order all-pass sections in series. Their phase falls by about 90° per semitone from 180 to 571 Hz. Between a
/// channel with these sections and one without, the notes in a third of an octave then have phase differences all round
/// the circle. The coherence of the two channels is low.
///
/// The frequencies of the sections are equally spaced in pitch, like notes, so the delay falls with frequency: 21 ms at
/// 180 Hz, 7 ms at 571 Hz. Far below the lowest section the phase tends to 0; far above the highest it is a whole
/// number of turns. Double precision is used, because a section at 180 Hz amplifies rounding errors by 50 dB.
struct PhaseDispersion: ~Copyable {
    /// A section: y[n] = second·(x[n] − y[n − 2]) + first·(x[n − 1] − y[n − 1]) + x[n − 2].
    struct Section: BitwiseCopyable {
        let first: Double, second: Double
    }

    /// Frequency of the lowest section, hertz.
    private static var lowest: Double { 180 }
    /// Ratio of neighbouring frequencies: four semitones.
    private static var ratio: Double { 1.259_921 }
    /// Number of sections. The highest is at 571 Hz.
    static var count: Int { 6 }
    /// Quality factor of each section. The bandwidth is about the difference from the next section's frequency.
    private static var quality: Double { 4.5 }

    /// Two neighbouring sections in the two lanes of a vector. The input of the second is the first one's output at the
    /// previous sample, so that both are computed together. Each pair therefore adds a delay of one sample.
    private struct Pair: BitwiseCopyable {
        var first: SIMD2<Double>, second: SIMD2<Double>
        /// Inputs and outputs one sample and two samples earlier.
        var x1 = SIMD2<Double>.zero, x2 = SIMD2<Double>.zero, y1 = SIMD2<Double>.zero, y2 = SIMD2<Double>.zero

        /// Returns the second section's output for a sample at the first section's input.
        @inline(__always)
        @_noLocks
        mutating func pass(_ sample: Double) -> Double {
            let x = SIMD2(sample, y1.x)
            let y = (second * (x - y2) + x2 + first * x1) - first * y1
            (x2, x1, y2, y1) = (x1, x, y1, y)
            return y.y
        }
    }

    /// Delay in addition to the sections' own, samples.
    static var delay: Int { @_noLocks get { 3 } }
    private let pairs: UnsafeMutablePointer<(Pair, Pair, Pair)>

    /// Makes the sections at rest.
    init(sampleRate: SampleRate) {
        let made = Self.sections(sampleRate: sampleRate)
        func pair(_ index: Int) -> Pair {
            let (a, b) = (made[index], made[index + 1])
            return Pair(first: SIMD2(a.first, b.first), second: SIMD2(a.second, b.second))
        }
        pairs = .allocate(capacity: 1)
        pairs.initialize(to: (pair(0), pair(2), pair(4)))
    }

    deinit { pairs.deallocate() }

    /// Returns the coefficients of all sections.
    static func sections(sampleRate: SampleRate) -> [Section] {
        (0..<count).map { index in
            let angle = 2 * Double.pi * lowest * pow(ratio, Double(index)) / sampleRate.hertz
            let share = sin(angle) / (2 * quality)
            return Section(first: -2 * cos(angle) / (1 + share), second: (1 - share) / (1 + share))
        }
    }

    /// Returns the phase of all sections and of `delay` together, at a frequency in hertz, radians, ≤ 0.
    static func phase(_ hertz: Double, sampleRate: SampleRate) -> Double {
        let angle = 2 * Double.pi * hertz / sampleRate.hertz
        return sections(sampleRate: sampleRate).reduce(0) { sum, section in
            // The numerator is z⁻² times the conjugate of the denominator 1 + first·z⁻¹ + second·z⁻².
            let re = 1 + section.first * cos(angle) + section.second * cos(2 * angle)
            let im = -section.first * sin(angle) - section.second * sin(2 * angle)
            return sum - 2 * angle - 2 * atan2(im, re)
        } - Double(delay) * angle
    }

    /// Clears all state.
    @_noLocks
    func reset() {
        func cleared(_ pair: Pair) -> Pair { Pair(first: pair.first, second: pair.second) }
        let (a, b, c) = pairs.pointee
        pairs.pointee = (cleared(a), cleared(b), cleared(c))
    }

    /// Filters a row in place. Cost: about 5 ns per sample.
    @_noLocks
    func process(_ row: UnsafeMutablePointer<Float>, frames: Int) {
        var (a, b, c) = pairs.pointee
        for i in 0..<frames { row[i] = Float(c.pass(b.pass(a.pass(Double(row[i]))))) }
        pairs.pointee = (a, b, c)
    }
}
