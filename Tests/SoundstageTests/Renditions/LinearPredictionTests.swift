import Foundation
import Testing

@testable import Soundstage

@Suite struct LinearPredictionTests {
    /// The samples that follow a window of `signal`.
    private func extended(_ count: Int, _ signal: (Double) -> Double) -> [Double] {
        let prediction = LinearPrediction(longest: count)
        for i in 0..<LinearPrediction.window {
            prediction.past[i] = Double(Float(signal(Double(i - LinearPrediction.window))))
        }
        let found = prediction.extend(count)
        return (0..<count).map { found[$0] }
    }

    @Test func aToneGoesOnAtItsOwnLevelAndPhase() {
        let made = extended(480) { 0.3 * sin(0.05 * $0 + 1) }
        var (error, power) = (0.0, 0.0)
        for (i, value) in made.enumerated() {
            let real = 0.3 * sin(0.05 * Double(i) + 1)
            error += (value - real) * (value - real)
            power += real * real
        }
        // 10 ms further a tone of 380 Hz is still itself.
        #expect(10 * log10(error / power) < -20)
    }

    @Test func twoLowTonesGoOnWithoutAStep() {
        func tones(_ i: Double) -> Double {
            0.2 * sin(2 * .pi * 220 * i / 48_000) + 0.1 * sin(2 * .pi * 331 * i / 48_000)
        }
        let made = extended(1440, tones)
        // The first samples join on: their second difference is the tones' own, not a step's.
        let joined = [tones(-2), tones(-1)] + made
        for i in 2..<50 { #expect(abs(joined[i] - 2 * joined[i - 1] + joined[i - 2]) < 1e-3) }
    }

    @Test func silenceStaysSilentAndNothingGrows() {
        #expect(extended(1440) { _ in 0 }.allSatisfy { $0 == 0 })
        // A rising burst asks for growth; what is made stays within twice its peak.
        let made = extended(1440) { exp($0 / 100) * sin(0.3 * $0) }
        #expect(made.allSatisfy { abs($0) <= 2 })
    }
}
