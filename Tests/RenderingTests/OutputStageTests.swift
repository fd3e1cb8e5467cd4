import Foundation
import HRTF
import Signal
import Testing

@testable import Rendering

/// Returns the samples of both ears after a new output limiter, processed in calls of the given lengths.
private func guarded(_ kind: OutputGuard, _ left: [Float], _ right: [Float], calls: [Int] = [64]) -> Ears {
    var stage = OutputStage(kind: kind, trim: Decibels(0), sampleRate: 48_000)
    var (l, r) = (left, right)
    var (done, call) = (0, 0)
    l.withUnsafeMutableBufferPointer { l in
        r.withUnsafeMutableBufferPointer { r in
            while done < l.count {
                let count = min(calls[call % calls.count], l.count - done)
                stage.process(l.baseAddress! + done, r.baseAddress! + done, count: count)
                done += count
                call += 1
            }
        }
    }
    return Ears(left: l, right: r)
}

/// Returns the largest magnitude between samples, by 16-fold interpolation with a windowed sinc of `half` samples to
/// either side.
private func truePeak(_ x: [Float], half: Int = 24) -> Double {
    var top = 0.0
    for phase in 0..<16 {
        let fraction = Double(phase) / 16
        let h: [Double] = (-half...half).map { k in
            let u = Double(k) - fraction
            let sinc = u == 0 ? 1 : sin(.pi * u) / (.pi * u)
            return sinc * (0.5 + 0.5 * cos(.pi * u / Double(half + 1)))
        }
        for i in half..<x.count - half {
            var sum = 0.0
            for k in 0...2 * half { sum += h[k] * Double(x[i + k - half]) }
            top = max(top, abs(sum))
        }
    }
    return top
}

@Suite struct OutputStageTests {
    @Test func belowItsThresholdTheInstantGuardPassesEveryBit() {
        let (l, r) = (noise(5000).map { $0 * 0.988 }, noise(5000, seed: 2).map { $0 * 0.988 })
        #expect(guarded(.instant, l, r).isIdentical(to: Ears(left: l, right: r)))
    }

    @Test func theInstantGuardNeverExceedsItsThresholdAndLinksTheEars() {
        let l = sine(500, 20_000).map { $0 * 5 }
        let r = sine(700, 20_000).map { $0 * 0.4 }
        let out = guarded(.instant, l, r)
        #expect(out.left.map(abs).max()! <= InstantGuard.threshold * 1.000_001)
        for i in 0..<20_000 where abs(l[i]) > 1e-3 && abs(r[i]) > 1e-3 {
            #expect(abs(out.left[i] / l[i] - out.right[i] / r[i]) < 1e-5)
        }
    }

    @Test func theInstantGuardRecoversWithItsTimeConstantAndThenPassesBitsAgain() {
        var l = [Float](repeating: 0.1, count: 80_000)
        l[100] = InstantGuard.threshold * 2
        let out = guarded(.instant, l, l)
        #expect(abs(out.left[100] - InstantGuard.threshold) < 1e-6)
        let after = 100 + Int(0.06 * 48_000)
        #expect(abs(Double(out.left[after] / 0.1) - (1 - 0.5 * exp(-1))) < 1e-3)
        for i in 60_000..<80_000 { #expect(out.left[i] == 0.1) }
    }

    @Test(arguments: [OutputGuard.off, .instant, .lookahead])
    func guardsGiveTheSameBitsHoweverTheStreamIsCut(_ kind: OutputGuard) {
        let (l, r) = (noise(8000).map { $0 * 3 }, noise(8000, seed: 2).map { $0 * 2 })
        let whole = guarded(kind, l, r, calls: [8000])
        for calls in [[64], [1], [17, 100, 3]] { #expect(guarded(kind, l, r, calls: calls).isIdentical(to: whole)) }
    }

    @Test func theLookaheadGuardDelaysByWhatItReportsAndPassesQuietSoundBitForBit() throws {
        let latency = try stage([], outputGuard: .lookahead).latencyFrames
        #expect(latency == 72)
        let (l, r) = (noise(5000).map { $0 * 0.3 }, noise(5000, seed: 2).map { $0 * 0.3 })
        let out = guarded(.lookahead, l, r)
        for i in 0..<latency { #expect(out.left[i] == 0 && out.right[i] == 0) }
        for i in latency..<5000 { #expect(out.left[i] == l[i - latency] && out.right[i] == r[i - latency]) }
    }

    /// Signals that are hard to limit, 12 000 frames each, with their names.
    static let worstCases: [(name: String, samples: [Float])] = {
        let count = 12_000
        let loud = sine(3100, count).map { $0 * 4.4 }
        let white = noise(count)
        return [
            // A quarter of the sample rate, 45° off the samples: peaks 3 dB above every sample.
            ("quarter of the rate", (0..<count).map { [1.38, 1.38, -1.38, -1.38][$0 % 4] }),
            ("bursts", loud.indices.map { ($0 / 700) % 3 == 1 ? loud[$0] : 0.2 }),
            ("white noise", white.map { $0 * 2 }),
            ("white noise at full scale", white),
            (
                "normal noise",
                (0..<count).map { white[$0] + white[($0 * 7 + 11) % count] + white[($0 * 13 + 5) % count] }
            ),
            ("random signs", white.map { $0 < 0 ? -1.5 : 1.5 }),
            ("pink noise", pinkNoise(count).map { $0 * 8 }),
            ("square", sine(997, count).map { $0 < 0 ? -2 : 2 }),
            ("clicks", (0..<count).map { $0 % 701 == 0 ? 4 : 0.1 }),
            ("steps of direct voltage", (0..<count).map { ($0 / 900) % 2 == 0 ? 2 : -2 }),
            ("almost half the rate", (0..<count).map { Float(1.5 * cos(.pi * 0.98 * Double($0))) }),
        ]
    }()

    @Test(arguments: worstCases.indices)
    func theLookaheadGuardHoldsPeaksBetweenSamplesUnderItsCeiling(_ index: Int) {
        let (name, x) = Self.worstCases[index]
        let ceiling = Double(LookaheadGuard.ceiling)
        let out = guarded(.lookahead, x, x.map { $0 * 0.5 })
        #expect(Double(out.left.map(abs).max()!) <= ceiling * 1.000_01)
        for half in [24, 128] {
            let over = 20 * log10(truePeak(out.left, half: half) / ceiling)
            #expect(over <= 0.1, "\(name): \(over) dB over the ceiling by \(2 * half + 1) taps")
        }
    }

    @Test func theLookaheadGuardKeepsATonesPeakAtItsCeiling() {
        // The margin for peaks between samples lowers the peak of a high tone.
        for (hertz, below) in [(100.0, 0.12), (997, 0.12), (5000, 0.4), (11_000, 1.1)] {
            let tone = sine(hertz, 20_000).map { $0 * 3 }
            let out = guarded(.lookahead, tone, tone)
            let level = 20 * log10(truePeak(Array(out.left[5000...])) / Double(LookaheadGuard.ceiling))
            #expect(level < 0.05 && level > -below, "\(hertz) Hz: \(level) dB")
        }
    }

    @Test(arguments: [8000.0, 11_025, 22_050, 96_000, 192_000])
    func theLookaheadGuardWorksAtEveryRate(_ rate: Double) {
        var lookahead = LookaheadGuard(sampleRate: rate)
        lookahead.reset(fadingFrom: 0, 0)
        var (l, r) = (noise(4000).map { $0 * 3 }, noise(4000, seed: 2))
        _ = l.withUnsafeMutableBufferPointer { l in
            r.withUnsafeMutableBufferPointer { r in
                lookahead.process(l.baseAddress!, r.baseAddress!, count: 4000)
            }
        }
        #expect(20 * log10(truePeak(l) / Double(LookaheadGuard.ceiling)) <= 0.1)
    }

    @Test func theLookaheadGuardMovesItsGainWithoutSteps() {
        var x = [Float](repeating: 0.5, count: 6000)
        x[3000] = 3
        let out = guarded(.lookahead, x, x)
        var step: Float = 0
        for i in 100..<6000 where !(3071...3073).contains(i) { step = max(step, abs(out.left[i] - out.left[i - 1])) }
        // The output falls from 0.5 to 0.5·0.3 within the 48 frames of the window.
        #expect(step < 0.5 * 0.75 / 48 * 1.1)
    }

    @Test func withoutAGuardLoudSamplesPassAndTheClipLightShows() throws {
        let source = Array(sevenOneFour.prefix(1))
        let renderer = try stage(source, field: .impulse(sampleRate: .studio), trim: Decibels(12))
        let x = noise(640)
        let ears = render(renderer, [x], periods: [64])
        #expect(ears.left.map(abs).max()! > 2)
        #expect(renderer.telemetry()?.clippedPeriods == 10 && renderer.telemetry()?.guardGain == 1)
        let guardedRenderer = try stage(
            source, field: .impulse(sampleRate: .studio), outputGuard: .instant, trim: Decibels(12))
        #expect(render(guardedRenderer, [x], periods: [64]).left.map(abs).max()! <= 1)
        let telemetry = try #require(guardedRenderer.telemetry())
        #expect(telemetry.clipped && telemetry.guardGain < 0.5)
    }

    @Test func theTrimIsTheGainOfTheSum() throws {
        let source = Array(sevenOneFour.prefix(1))
        let x = noise(640)
        let plain = render(try stage(source), [x], periods: [64])
        let trimmed = render(try stage(source, trim: Decibels(-6)), [x], periods: [64])
        let gain = Float(Decibels(-6).amplitude)
        for i in 0..<640 { #expect(trimmed.left[i] == plain.left[i] * gain) }
    }
}

@Suite struct MeterTests {
    @Test func metersRiseAtOnceAndFallTwentyDecibelsIn1700Milliseconds() {
        var telemetry = Telemetry()
        telemetry.inputPeaks[1] = 0.5
        telemetry.outputPeaks = SIMD2(0.25, 0)
        telemetry.guardGain = 0.1
        telemetry.moveMeters(seconds: 0.001, sources: 2)
        #expect(telemetry.inputMeters[1] == 0.5 && telemetry.outputMeters.x == 0.25 && telemetry.guardMeter == 0.1)
        telemetry.inputPeaks[1] = 0
        telemetry.outputPeaks = SIMD2(0, 0)
        telemetry.guardGain = 1
        for _ in 0..<1700 { telemetry.moveMeters(seconds: 0.001, sources: 2) }
        #expect(abs(telemetry.inputMeters[1] - 0.05) < 1e-4 && abs(telemetry.outputMeters.x - 0.025) < 1e-4)
        #expect(abs(telemetry.guardMeter - 1) < 1e-3)
    }
}
