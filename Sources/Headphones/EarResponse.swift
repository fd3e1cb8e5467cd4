import Glibc
import Metering
import Signal

/// Magnitude response of one ear's filter.
struct EarResponse {
    private let ear: EarFilter
    private let sampleRate: Double

    /// Creates the response of a filter at a rate in hertz.
    init(_ ear: EarFilter, sampleRate: Double) {
        self.ear = ear
        self.sampleRate = sampleRate
    }

    /// Returns |H|² at a frequency in hertz. Frequencies above half the rate count as half the rate. Cost: O(taps).
    func power(at hertz: Double) -> Double {
        let angle = 2 * .pi * min(hertz / sampleRate, 0.5)
        var power = ear.gain * ear.gain
        for section in ear.sections { power *= section.power(at: angle) }
        guard !ear.taps.isEmpty else { return power }
        // Horner's rule at e^(−i·angle), from the last tap on.
        let (c, s) = (cos(angle), -sin(angle))
        var (real, imaginary) = (0.0, 0.0)
        for tap in ear.taps.reversed() {
            (real, imaginary) = (real * c - imaginary * s + Double(tap), real * s + imaginary * c)
        }
        return power * (real * real + imaginary * imaginary)
    }

    /// Returns frequencies at equal steps, about `perOctave` per octave, from 10 Hz to 20 kHz or 0.45 of the rate,
    /// whichever is lower.
    private static func places(_ sampleRate: Double, perOctave: Int) -> [Double] {
        let top = min(20_000, 0.45 * sampleRate)
        let steps = Int(Double(perOctave) * log2(top / 10))
        return (0...steps).map { 10 * pow(top / 10, Double($0) / Double(steps)) }
    }

    /// Returns the largest gain of several ears in dB, and its frequency in hertz. It is searched at 48 frequencies per
    /// octave, and at those of `others` that are below half the rate.
    static func boost(_ ears: [EarResponse], at others: [Double]) -> (decibels: Double, hertz: Double) {
        guard let rate = ears.first?.sampleRate else { return (0, 0) }
        let found = (places(rate, perOctave: 48) + others.filter { $0 < 0.5 * rate }).map { hertz in
            (power: ears.map { $0.power(at: hertz) }.max() ?? 0, hertz: hertz)
        }
        let largest = found.max { $0.power < $1.power } ?? (1, 0)
        return (10 * log10(max(1e-30, largest.power)), largest.hertz)
    }

    /// Returns the change of pink noise's loudness, dB: the ratio of ∫|K|²·mean|H|²/f df to ∫|K|²/f df from 20 Hz to 20
    /// kHz (at most 0.45 of the rate). H is an ear's response, and K the weighting of ITU-R BS.1770-5.
    static func loudness(_ ears: [EarResponse]) -> Double {
        guard let rate = ears.first?.sampleRate else { return 0 }
        let weighting = KWeighting(sampleRate: rate)
        var (with, without) = (0.0, 0.0)
        // Pink noise has equal power in bands of equal width in octaves.
        for hertz in places(rate, perOctave: 24) where hertz >= 20 {
            let weight = weighting.magnitude(at: hertz)
            without += weight * weight
            with += weight * weight * ears.reduce(0) { $0 + $1.power(at: hertz) } / Double(ears.count)
        }
        return 10 * log10(max(1e-12, with / without))
    }
}
