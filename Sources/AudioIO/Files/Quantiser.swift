import Glibc
import Signal

/// Methods of rounding samples to integers in a file.
package enum Dither: String, CaseIterable, Hashable, Sendable {
    /// Rounding to the nearest integer. Samples that are multiples of a step stay unchanged; faint sound is distorted.
    case none
    /// Addition of noise with a triangular density, two steps wide, and then rounding. The noise makes mean and power
    /// of the error independent of the sound (Lipshitz, Wannamaker, Vanderkooy, J. Audio Eng. Soc. 40, 1992). The total
    /// error is white, and 4.8 dB stronger than the error of plain rounding.
    case tpdf
    /// As `tpdf`, with error feedback by five taps. The feedback moves the noise to frequencies of low audibility
    /// (Lipshitz, Vanderkooy, Wannamaker, J. Audio Eng. Soc. 39, 1991, "improved E-weighting"). For 44.1 and 48 kHz.
    case shaped

    /// Returns whether the method is designed for a sample rate.
    package func suits(_ rate: SampleRate) -> Bool { self != .shaped || (44_000...48_100).contains(rate.hertz) }
}

/// Rounds interleaved samples to integers with a dither. Equal sound gives equal numbers every time.
struct Quantiser {
    /// Feedback weights of the last errors, newest first.
    private static let weights: [Float] = [2.033, -2.165, 1.959, -1.590, 0.6149]

    private let dither: Dither
    /// Number of steps from 0 to full scale.
    private let steps: Float
    private let channels: Int
    /// `[channel][tap]`: last errors, in steps.
    private var errors: [Float]
    /// State of the pseudo-random generator.
    private var state: UInt64 = 0x9e37_79b9_7f4a_7c15

    /// Makes a quantiser to integers of `bits` ≤ 24.
    init(_ dither: Dither, bits: Int, channels: Int) {
        self.dither = dither
        self.channels = channels
        steps = exp2(Float(bits - 1))
        errors = [Float](repeating: 0, count: dither == .shaped ? Self.weights.count * channels : 0)
    }

    /// Replaces samples (full scale is 1) by multiples of the step, limited to the range of the file.
    mutating func apply(_ samples: UnsafeMutablePointer<Float>, frames: Int) {
        switch dither {
        case .none:
            for i in 0..<frames * channels { samples[i] = whole(samples[i] * steps) / steps }
        case .tpdf:
            for i in 0..<frames * channels { samples[i] = whole(samples[i] * steps + noise()) / steps }
        case .shaped:
            for frame in 0..<frames {
                for channel in 0..<channels { shape(&samples[frame * channels + channel], channel) }
            }
        }
    }

    private mutating func shape(_ sample: inout Float, _ channel: Int) {
        let first = channel * Self.weights.count
        var wanted = sample * steps
        for (tap, weight) in Self.weights.enumerated() { wanted -= weight * errors[first + tap] }
        let found = whole(wanted + noise())
        for tap in stride(from: Self.weights.count - 1, to: 0, by: -1) { errors[first + tap] = errors[first + tap - 1] }
        // The error of clipping at full scale is not fed back.
        let error = found - wanted
        errors[first] = abs(error) < 2 ? error : 0
        sample = found / steps
    }

    private func whole(_ x: Float) -> Float { max(-steps, min(steps - 1, x.rounded(.toNearestOrEven))) }

    /// Returns the sum of two uniform random numbers, in −1…1.
    private mutating func noise() -> Float {
        state &+= 0x9e37_79b9_7f4a_7c15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
        bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
        bits ^= bits >> 31
        return (Float(bits >> 40) + Float(bits & 0xff_ffff)) * 0x1p-24 - 1
    }
}
