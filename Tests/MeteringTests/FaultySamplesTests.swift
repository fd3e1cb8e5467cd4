import Foundation
import Metering
import Signal
import Testing

/// Tests of a loudness meter with faulty samples.
@Suite struct FaultySamplesTests {
    private static let rate = SampleRate(hertz: 48_000)!

    /// A tone of 1 kHz at −20 dBFS, `seconds` long, in two channels; `count` samples from `first` on have the value
    /// `size`.
    private static func readings(
        _ seconds: Double, fault size: Float? = nil, at first: Int = 0, count: Int = 0, block: Int = 480
    )
        -> LoudnessReadings
    {
        let meter = LoudnessMeter(sampleRate: rate, weights: [1, 1])
        let total = Int(seconds * 48_000)
        let rows = PlanarBlock(channels: 2, frames: block)
        var done = 0
        while done < total {
            let frames = min(block, total - done)
            for i in 0..<frames {
                let n = done + i
                let isFault = size != nil && n >= first && n < first + count
                let sample = isFault ? size! : 0.1 * Float(sin(2 * Double.pi * 1000 * Double(n) / 48_000))
                (rows[0][i], rows[1][i]) = (sample, sample)
            }
            meter.add(rows, frames: frames)
            done += frames
        }
        return meter.read()
    }

    @Test(arguments: [Float(2e6), 1e20, 3e38, -3e38]) func `A burst of them is left out of every measure`(_ size: Float)
        throws
    {
        let clean = Self.readings(10)
        let found = Self.readings(10, fault: size, at: 240_000, count: 1000)
        #expect(abs(try #require(found.integrated) - #require(clean.integrated)) < 0.05)
        #expect(abs(try #require(found.truePeak) - #require(clean.truePeak)) < 1)
        #expect(abs(try #require(found.maximumMomentary) - #require(clean.maximumMomentary)) < 0.05)
        #expect(abs(try #require(found.momentary) - #require(clean.momentary)) < 0.01)
        #expect(found.faultySeconds == 0.04)
        #expect(clean.faultySeconds == nil)
        #expect(found.summary.contains("0.04 s with samples above +120 dBFS left out"))
    }

    @Test func `How a stream is cut into blocks makes no difference to them`() {
        let found = [64, 480, 1000, 4096].map { Self.readings(6, fault: 1e30, at: 100_001, count: 77, block: $0) }
        #expect(Set(found).count == 1)
    }
}
