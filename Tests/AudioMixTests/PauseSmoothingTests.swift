import Signal
import Testing

@testable import AudioMix

@Suite struct PauseSmoothingTests {
    private let tuning = AudioMixTuning(.live, sampleRate: .studio)

    /// Smooths estimates with the given amplitude and a different phase in each bin. `power`: power of the filters.
    private func smoothed(
        power: Float = 1, _ amplitude: (Int) -> Float
    ) -> (before: [Complex], after: [Complex]) {
        let speech = Row(tuning.bins, Complex(re: 0, im: 0)), powers = Row(tuning.bins, power)
        for bin in 0..<tuning.bins {
            let turn = SIMD2<Float>(bin % 3 == 0 ? 0.6 : -0.8, bin % 3 == 0 ? 0.8 : 0.6)
            speech.base[bin] = Complex(re: amplitude(bin) * turn.x, im: amplitude(bin) * turn.y)
        }
        let before = (0..<tuning.bins).map { speech.base[$0] }
        PauseSmoothing(tuning).smooth(speech.base, powers.base)
        return (before, (0..<tuning.bins).map { speech.base[$0] })
    }

    @Test func speechPassesUntouched() {
        // ζ = 0.49; the amplitudes are uneven, as a voice's are.
        let (before, after) = smoothed { $0 % 5 == 0 ? 1 : 0.603 }
        #expect(before.map(\.re) == after.map(\.re) && before.map(\.im) == after.map(\.im))
    }

    @Test func aPauseHasNoBinThatStandsOut() {
        let (before, after) = smoothed { $0 % 37 == 20 ? 0.5 : 0.02 }
        // Means over 117 bins, three or four of them with a high amplitude, are nearly equal.
        let levels = after[60..<190].map { $0.power.squareRoot() }
        #expect(levels.allSatisfy { abs($0 - 0.034) < 0.003 }, "\(levels.min() ?? 0), \(levels.max() ?? 0)")
        // Phases do not change.
        for (b, a) in zip(before, after) {
            #expect(abs(b.re * a.im - b.im * a.re) < 1e-6 && b.re * a.re + b.im * a.im >= 0)
        }
    }

    @Test func theLessSpeechTheMoreBins() {
        // ζ of 0.05 and of 0.29: means over 2·52 + 1 and 2·16 + 1 bins (equation 9, with widest 60 and threshold 0.4).
        for (share, half) in [(Float(0.05), 52), (0.29, 16)] {
            let count = Float(tuning.bins - 1), middle = tuning.bins / 2
            let rest = ((share * count - 1) / (count - 1)).squareRoot()
            let (_, after) = smoothed { $0 == middle ? 1 : $0 < 1 ? 0 : rest }
            let mean = rest + (1 - rest) / Float(2 * half + 1)
            #expect(abs(after[middle].power.squareRoot() - mean) < 1e-4)
            // The bin with the high amplitude spreads over `half` bins and no further.
            #expect(abs(after[middle + half].power.squareRoot() - mean) < 1e-4)
            #expect(abs(after[middle + half + 1].power.squareRoot() - rest) < 1e-4)
        }
    }

    @Test func powersWithoutARatioAreNoPause() {
        for (power, amplitude) in [(Float(0), Float(1)), (.infinity, 1e30), (1, 1e30)] {
            let (before, after) = smoothed(power: power) { _ in amplitude }
            #expect(before.map(\.re) == after.map(\.re))
        }
    }

    @Test func silenceStaysSilence() {
        #expect(smoothed { _ in 0 }.after.allSatisfy { $0.re == 0 && $0.im == 0 })
    }
}
