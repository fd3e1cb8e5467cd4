import Foundation
import Testing

@testable import Soundstage

@Suite struct LinearPredictionTests {
    /// Returns `count` samples that continue a window of `signal`, of which the last `known` samples are known.
    private func extended(
        _ count: Int, known: Int = LinearPrediction.window, _ signal: (Double) -> Double
    ) -> [Double] {
        let prediction = LinearPrediction()
        for i in 0..<known { prediction.past[i] = Double(Float(signal(Double(i - known)))) }
        var tail = SoundTail()
        defer { tail.deallocate() }
        tail.begin(known: known, prediction)
        var made: [Double] = []
        // In pieces of any length, 0 included.
        for piece in [64, 1, 0, 17] {
            let length = min(piece, count - made.count)
            let found = tail.next(length)
            made += (0..<length).map { found[$0] }
        }
        while made.count < count {
            let length = min(SoundTail.longest, count - made.count)
            let found = tail.next(length)
            made += (0..<length).map { found[$0] }
        }
        return made
    }

    @Test func aToneGoesOnAtItsOwnLevelAndPhase() {
        let made = extended(480) { 0.3 * sin(0.05 * $0 + 1) }
        var (error, power) = (0.0, 0.0)
        for (i, value) in made.enumerated() {
            let real = 0.3 * sin(0.05 * Double(i) + 1)
            error += (value - real) * (value - real)
            power += real * real
        }
        // A tone of 380 Hz keeps its level and phase over 10 ms.
        #expect(10 * log10(error / power) < -20)
    }

    @Test func twoLowTonesGoOnWithoutAStep() {
        func tones(_ i: Double) -> Double {
            0.2 * sin(2 * .pi * 220 * i / 48_000) + 0.1 * sin(2 * .pi * 331 * i / 48_000)
        }
        let made = extended(1440, tones)
        // The continuation joins without a step: its second difference is that of the tones.
        let joined = [tones(-2), tones(-1)] + made
        for i in 2..<50 { #expect(abs(joined[i] - 2 * joined[i - 1] + joined[i - 2]) < 1e-3) }
    }

    @Test func silenceStaysSilentAndNothingGrows() {
        #expect(extended(1440) { _ in 0 }.allSatisfy { $0 == 0 })
        // The prediction of a rising burst would grow: the known samples and a glide bound it.
        let made = extended(1440) { exp($0 / 100) * sin(0.3 * $0) }
        #expect(made.allSatisfy { abs($0) <= 2.5 })
    }

    @Test func whatBeganAMomentAgoDoesNotBendWhatFollows() {
        // A tone that starts, at its peak, 200 samples before it breaks off.
        func tone(_ i: Double) -> Double { i < -200 ? 0 : 0.3 * cos(0.03 * (i + 200)) }
        let made = extended(480, tone)
        let joined = [tone(-2), tone(-1)] + made
        for i in 2..<482 { #expect(abs(joined[i] - 2 * joined[i - 1] + joined[i - 2]) < 4e-4) }
    }

    @Test(arguments: [1, 2, 3, 16, 64]) func ofLittleKnownLittleIsMade(_ known: Int) {
        let made = extended(480, known: known) { 0.3 * sin(0.05 * $0 + 1) }
        #expect(made.allSatisfy { abs($0) <= 0.75 })
    }
}
