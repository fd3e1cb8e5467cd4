import Foundation
import LoudnessFixtures
import Signal
import Testing

@testable import Metering

/// EBU Tech 3341-2023 (table 1) and 3342-2023 (table 1), all signals that can be synthesised; those from authentic
/// programmes (3341: 7 and 8; 3342: 5 and 6) are the EBU's own recordings.
@Suite struct EBUTests {
    private func stereo(
        _ segments: [TestSignal.Segment], _ path: MeterPath, _ sampleRate: SampleRate = .studio
    ) -> LoudnessReadings {
        let sine = TestSignal.sine(segments, sampleRate: sampleRate)
        return path.read([sine, sine], weights: [1, 1], sampleRate: sampleRate)
    }

    private func expect(
        _ found: Double?, _ wanted: Double, within tolerance: Double = 0.1,
        location: SourceLocation = #_sourceLocation
    ) {
        #expect(abs((found ?? .nan) - wanted) <= tolerance, sourceLocation: location)
    }

    @Test(arguments: MeterPath.allCases, [SampleRate.studio, .cd])
    func cases1And2AllThreeMeasuresOfASteadySine(_ path: MeterPath, _ sampleRate: SampleRate) {
        for level in [-23.0, -33] {
            let readings = stereo([(level, 20)], path, sampleRate)
            for found in [readings.momentary, readings.shortTerm, readings.integrated] { expect(found, level) }
        }
    }

    @Test(arguments: MeterPath.long) func cases3To5IntegratedLoudnessIsGated(_ path: MeterPath) {
        let sequences: [[TestSignal.Segment]] = [
            [(-36, 10), (-23, 60), (-36, 10)], [(-72, 10), (-36, 10), (-23, 60), (-36, 10), (-72, 10)],
            [(-26, 20), (-20, 20.1), (-26, 20)],
        ]
        for sequence in sequences { expect(stereo(sequence, path).integrated, -23) }
    }

    @Test(arguments: MeterPath.allCases) func case6FiveChannelsAreWeighted(_ path: MeterPath) {
        let channels = [-28.0, -28, -24, -200, -30, -30].map {
            TestSignal.sine([($0, 20)], sampleRate: .studio)
        }
        let weights: [Float] = [1, 1, 1, 0, 1.41, 1.41]
        expect(path.read(channels, weights: weights, sampleRate: .studio).integrated, -23)
        // An LFE at full scale changes nothing.
        var loud = channels
        loud[3] = TestSignal.sine([(0, 20)], sampleRate: .studio)
        expect(path.read(loud, weights: weights, sampleRate: .studio).integrated, -23)
    }

    /// Readings every 100 ms of sound.
    private func course(_ segments: [TestSignal.Segment]) -> [LoudnessReadings] {
        let sine = TestSignal.sine(segments, sampleRate: .studio)
        let meter = LoudnessMeter(sampleRate: .studio, weights: [1, 1])
        let block = PlanarBlock(channels: 2, frames: sine.count)
        for i in sine.indices { (block[0][i], block[1][i]) = (sine[i], sine[i]) }
        return stride(from: 0, to: sine.count - 4799, by: 4800).map { start in
            meter.add(block, from: start, frames: 4800)
            return meter.read()
        }
    }

    @Test func cases9And12ShortTermAndMomentaryLoudnessStayConstant() {
        let nine = course((0..<5).flatMap { _ in [(-20, 1.34), (-30, 1.66)] })
        for readings in nine.dropFirst(30) { expect(readings.shortTerm, -23) }
        let twelve = course((0..<25).flatMap { _ in [(-20, 0.18), (-30, 0.22)] })
        for readings in twelve.dropFirst(10) { expect(readings.momentary, -23) }
    }

    @Test(arguments: MeterPath.long) func cases10And13MaximaDoNotDependOnTheOnset(_ path: MeterPath) {
        for n in 0..<20 {
            let ten = stereo([(-200, 0.15 * Double(n)), (-23, 3), (-200, 1)], path)
            expect(ten.maximumShortTerm, -23)
            let thirteen = stereo([(-200, 0.02 * Double(n)), (-23, 0.4), (-200, 1)], path)
            expect(thirteen.maximumMomentary, -23)
        }
    }

    @Test func cases11And14MaximaOfOneSequence() {
        var (eleven, fourteen): ([TestSignal.Segment], [TestSignal.Segment]) = ([], [])
        for n in 0..<20 {
            let (level, late) = (-38 + Double(n), Double(n))
            eleven += [(-200, 0.15 * late), (level, 3), (-200, 3 - 0.15 * late)]
            fourteen += [(-200, 0.02 * late), (level, 0.4), (-200, 0.4 - 0.02 * late)]
        }
        let short = course(eleven)
        let brief = course(fourteen)
        for n in 0..<20 {
            // Each level lasts 6 s, or 0.8 s. The maximum so far is that of the present level, because levels rise.
            expect(short[min(short.count - 1, 60 * (n + 1) - 1)].maximumShortTerm, -38 + Double(n))
            expect(brief[min(brief.count - 1, 8 * (n + 1) - 1)].maximumMomentary, -38 + Double(n))
        }
    }

    @Test(arguments: MeterPath.allCases) func cases15To19TruePeaksOfSines(_ path: MeterPath) {
        let cases: [(share: Double, phase: Double, amplitude: Double, wanted: Double)] = [
            (1.0 / 4, 0, 0.5, -6), (1.0 / 4, 45, 0.5, -6), (1.0 / 6, 60, 0.5, -6), (1.0 / 8, 67.5, 0.5, -6),
            (1.0 / 4, 45, 1.41, 3),
        ]
        for (share, phase, amplitude, wanted) in cases {
            let tone = TestSignal.tone(shareOfRate: share, phase: phase, amplitude: amplitude)
            let peak = path.read([tone, tone], weights: [1, 1], sampleRate: .studio).truePeak ?? .nan
            #expect(peak <= wanted + 0.2 && peak >= wanted - 0.4)
        }
    }

    /// For any position of a peak between samples, and at rates at which BS.1770 requires less interpolation, or none.
    @Test(arguments: [44_100.0, 48_000, 96_000, 192_000]) func truePeaksAreReadAtEveryRate(_ hertz: Double) throws {
        let rate = try #require(SampleRate(hertz: hertz))
        for share in [0.2, 0.25, 0.3, 0.35] {
            for phase in [0.0, 30, 45, 80] {
                let tone = TestSignal.tone(shareOfRate: share, phase: phase, amplitude: 0.5)
                let peak = MeterPath.even.read([tone, tone], weights: [1, 1], sampleRate: rate).truePeak ?? .nan
                #expect(peak <= -6.02 + 0.2 && peak >= -6.02 - 0.4, "\(share) of the rate, \(phase)°: \(peak)")
            }
        }
    }

    @Test(arguments: MeterPath.allCases) func cases20To23TruePeaksBetweenSamples(_ path: MeterPath) {
        // A sine of fs/6 at half of full scale with one period of fs/4 at full scale in its middle, made at four times
        // the rate, limited to half the rate, and thinned out beginning with each of the four samples.
        let rate = 4
        let length = 4 * 12_000
        // The burst begins where the sine passes 0.
        let begin = 24 * 1000
        var fine = (0..<length).map { 0.5 * sin(2 * .pi * Double($0) / Double(6 * rate)) }
        for i in 0..<16 { fine[begin + i] = sin(2 * .pi * Double(i) / Double(4 * rate)) }
        for i in (begin + 16)..<length { fine[i] = 0.5 * sin(2 * .pi * Double(i - begin - 16) / Double(6 * rate)) }
        let taps: [Double] = (-256...256).map { (k: Int) -> Double in
            let x = Double(k) / Double(rate)
            let sinc = k == 0 ? 1 : sin(.pi * x) / (.pi * x)
            return sinc * (0.5 + 0.5 * cos(.pi * Double(k) / 257)) / Double(rate)
        }
        for offset in 0..<4 {
            let thin: [Float] = stride(from: offset, to: length, by: rate).map { (i: Int) -> Float in
                guard abs(i - begin) < 20_000 else { return 0 }
                var sum = 0.0
                for k in -256...256 { sum += taps[k + 256] * fine[i + k] }
                return Float(sum * min(1, Double(20_000 - abs(i - begin)) / 4000))
            }
            let peak = path.read([thin, thin], weights: [1, 1], sampleRate: .studio).truePeak ?? .nan
            #expect(peak <= 0.2 && peak >= -0.4, "offset \(offset): \(peak)")
        }
    }

    @Test(arguments: MeterPath.long) func loudnessRangesOfTech3342(_ path: MeterPath) {
        let cases: [(levels: [Double], wanted: Double)] = [
            ([-20, -30], 10), ([-20, -15], 5), ([-40, -20], 20), ([-50, -35, -20, -35, -50], 15),
        ]
        for (levels, wanted) in cases {
            expect(stereo(levels.map { ($0, 20) }, path).range, wanted, within: 1)
        }
    }

    @Test func silenceHasNoReading() {
        let readings = stereo([(-200, 4)], .even)
        #expect(readings.momentary == nil && readings.shortTerm == nil && readings.integrated == nil)
        #expect(readings.range == nil && readings.truePeak == nil && readings.seconds == 4)
    }
}
