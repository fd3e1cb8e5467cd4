import Foundation
import HRTF
import Signal
import Soundstage
import Testing

@testable import Rendering

/// The noise for the adjustment of levels.
@Suite struct TestNoiseTests {
    @Test(arguments: [44_100.0, 48_000, 96_000])
    func `The noise has its level to a thousandth of a dB, and is pink`(rate: Double) throws {
        let noise = TestNoise(sampleRate: try #require(SampleRate(hertz: rate)))
        let samples = (0..<noise.count).map { Double(noise.samples[$0]) }
        let power = samples.reduce(0) { $0 + $1 * $1 } / Double(noise.count)
        #expect(abs(10 * log10(power) + 20) < 0.001)
        #expect(abs(samples.reduce(0, +) / Double(noise.count)) < 1e-6)
        // A crest factor of 11 to 14.5 dB leaves room for the peaks.
        let crest = 20 * log10((samples.map { abs($0) }.max() ?? 0) / 0.1)
        #expect(crest > 11 && crest < 14.5, "\(crest) dB")
        // Each third of an octave has the same power, within 0.1 dB.
        var (re, im) = (samples, [Double](repeating: 0, count: noise.count))
        transform(&re, &im)
        var bands: [Double] = []
        for third in -15...12 {
            let edges = [-0.5, 0.5].map { 1000 * pow(2, (Double(third) + $0) / 3) }
            var sum = 0.0
            var expected = 0.0
            for bin in 1..<noise.count / 2
            where (edges[0]..<edges[1]).contains(Double(bin) * rate / Double(noise.count)) {
                sum += re[bin] * re[bin] + im[bin] * im[bin]
                expected += 1 / Double(bin)
            }
            bands.append(10 * log10(sum / expected))
        }
        #expect((bands.max() ?? 0) - (bands.min() ?? 0) < 0.1)
    }

    @Test func `It plays at its level from one loudspeaker, and comes and goes without a click`() throws {
        // Unit impulses as filters of both ears: the output is the loudspeaker's signal.
        let renderer = try ProgrammeTests.stage(
            [Programme(layout: try .named("stereo"))], field: .impulse(sampleRate: .studio))
        renderer.monitor.playNoise(from: 0)
        let silence = [[Float]](repeating: [Float](repeating: 0, count: 288_000), count: 2)
        let heard = render(renderer, silence, periods: [256]) {
            PeriodTime(restart: $0 == 0)
        } between: { done in
            if done == 240_128 { renderer.monitor.playNoise(from: nil) }
        }
        let period = heard.left[4800..<4800 + 131_072]
        let power = period.reduce(0.0) { $0 + Double($1) * Double($1) } / 131_072
        #expect(abs(10 * log10(power) + 20) < 0.001, "\(10 * log10(power)) dB")
        #expect(heard.left[4800..<9600].elementsEqual(heard.left[4800 + 131_072..<9600 + 131_072]))
        #expect(abs(heard.left[0]) < 1e-6 && heard.left[280_000...].allSatisfy { $0 == 0 })
        #expect(heard.left[1000] != 0)
    }
}
