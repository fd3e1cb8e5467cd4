import CKernels
import Glibc
import Signal

/// Second-order all-pass sections in series. Their phase falls by about 90° per semitone from 180 to 571 Hz. Between a
/// channel with these sections and one without, the notes in a third of an octave then have phase differences all round
/// the circle. The coherence of the two channels is low.
///
/// The frequencies of the sections are equally spaced in pitch, like notes, so the delay falls with frequency: 21 ms at
/// 180 Hz, 7 ms at 571 Hz. Far below the lowest section the phase tends to 0; far above the highest it is a whole
/// number of turns. Double precision is used, because a section at 180 Hz amplifies rounding errors by 50 dB.
enum PhaseDispersion {
    /// A section: y[n] = second·(x[n] − y[n − 2]) + first·(x[n − 1] − y[n − 1]) + x[n − 2].
    struct Section: BitwiseCopyable {
        let first: Double, second: Double
    }

    /// Frequency of the lowest section, hertz.
    private static var lowest: Double { 180 }
    /// Ratio of neighbouring frequencies: four semitones.
    private static var ratio: Double { 1.259_921 }
    /// Number of sections. The highest is at 571 Hz.
    static var count: Int { Int(PRK_DISPERSION_SECTIONS) }
    /// Delay in addition to that of the sections, samples.
    static var delay: Int { Int(PRK_DISPERSION_DELAY) }
    /// Quality factor of each section. The bandwidth is about the difference from the next section's frequency.
    private static var quality: Double { 4.5 }

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

    /// Sets the coefficients of a kernel's job.
    static func set(_ job: inout prk_upmix_split, sampleRate: SampleRate) {
        let sections = sections(sampleRate: sampleRate)
        func fill(_ row: UnsafeMutableRawBufferPointer, _ values: [Double]) {
            values.withUnsafeBytes { row.copyMemory(from: $0) }
        }
        withUnsafeMutableBytes(of: &job.first) { fill($0, sections.map(\.first)) }
        withUnsafeMutableBytes(of: &job.second) { fill($0, sections.map(\.second)) }
    }
}
