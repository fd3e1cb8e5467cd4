import Glibc
import LoudnessFixtures
import Signal
import Testing

@testable import Metering

@Suite struct LibraryMeterTests {
    /// A programme of passages between −60 and −10 dBFS, of noise that is now dull, now bright, now and then of tones.
    private func programme(channels: Int, sampleRate: SampleRate, seconds: Int) -> PlanarBlock {
        var random = SystemNoise(state: 7)
        let rate = Int(sampleRate.hertz)
        let block = PlanarBlock(channels: channels, frames: rate * seconds)
        for channel in 0..<channels {
            var (level, smooth, past) = (0.1, 0.0, 0.0)
            for i in 0..<rate * seconds {
                if i % (rate * 3 / 2) == 0 {
                    level = pow(10, (-60 + 50 * random.next()) / 20)
                    smooth = 0.98 * random.next()
                }
                let tone = (i / rate) % 5 == 4 ? sin(0.4 * Double(i) * (1 + 0.1 * Double(channel))) : 0
                past = smooth * past + (1 - smooth) * (2 * random.next() - 1)
                block[channel][i] = Float(level * (tone + past * (1 + 4 * smooth)))
            }
        }
        return block
    }

    /// A linear congruential generator, the same everywhere.
    private struct SystemNoise {
        var state: UInt64
        mutating func next() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 11) / Double(UInt64(1) << 53)
        }
    }

    @Test(arguments: [44_100.0, 48_000, 96_000, 192_000])
    func ourMeterReadsAsLibebur128Does(_ hertz: Double) throws {
        let sampleRate = try #require(SampleRate(hertz: hertz))
        let weights: [Float] = [1, 1, 1, 0, 1.41, 1.41]
        let block = programme(channels: 6, sampleRate: sampleRate, seconds: 8)
        let ours = LoudnessMeter(sampleRate: sampleRate, weights: weights)
        let theirs = LibraryMeter(sampleRate: sampleRate, weights: weights)
        for second in 0..<8 {
            ours.add(block, from: second * Int(hertz), frames: Int(hertz))
            theirs.add(block, from: second * Int(hertz), frames: Int(hertz))
            let (a, b) = (ours.read(), theirs.read())
            #expect(abs(try #require(a.momentary) - #require(b.momentary)) < 0.01)
            #expect(abs(try #require(a.shortTerm) - #require(b.shortTerm)) < 0.01)
            #expect(abs(try #require(a.integrated) - #require(b.integrated)) < 0.02)
        }
        let (a, b) = (ours.read(), theirs.read())
        // This program's meter has the wider filter. The loudness range is not compared: the library samples it once a
        // second, this meter ten times.
        #expect(abs(try #require(a.truePeak) - #require(b.truePeak)) < 0.4, "\(a.truePeak ?? 0) \(b.truePeak ?? 0)")
    }
}
