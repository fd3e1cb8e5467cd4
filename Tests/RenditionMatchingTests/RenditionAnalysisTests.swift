import Foundation
import HRTF
import Signal
import Soundstage
import Testing

@testable import RenditionMatching

@Suite struct RenditionAnalysisTests {
    /// Returns reproducible noise, −1…1.
    private static func noise(_ count: Int, seed: UInt64) -> [Float] {
        var state = seed &* 2_862_933_555_777_941_757 &+ 3_037_000_493
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Float(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648
        }
    }

    /// Returns an analysis after `seconds` of six channels and a stereo pair that lags by `lag` frames.
    private static func heard(
        _ seconds: Double, lag: Int, gain: Float, _ sound: (Int) -> Float
    ) throws -> RenditionAnalysis {
        let programme = Programme(layout: try .named("5.1"), hasStereoRendition: true)
        var analysis = try RenditionAnalysis(programme, field: .sphere(sampleRate: .studio), lowFrequencyGain: 1)
        let block = RenditionAnalysis.block
        let rows = PlanarBlock(channels: analysis.channelCount, frames: block)
        for start in stride(from: 0, to: Int(seconds * 48_000) / block * block, by: block) {
            for i in 0..<block {
                rows[0][i] = sound(start + i)
                rows[1][i] = rows[0][i]
                rows[6][i] = gain * sound(start + i - lag)
                rows[7][i] = rows[6][i]
            }
            // The delays align both renditions at the ears; stereo plays on the front pair.
            var state = RenditionState()
            (state.multichannelDelay, state.stereoDelay) = (2000 + lag, 2000)
            analysis.take(rows.pointers, isWhole: true, state: state, upmix: UpmixState())
        }
        return analysis
    }

    @Test(arguments: [480, -37]) func delayAndLoudnessAreKnownWithinFiveSeconds(_ lag: Int) throws {
        let samples = Self.noise(300_000, seed: 3)
        let analysis = try Self.heard(5, lag: lag, gain: 0.7079) { samples[$0 + 1000] * 0.2 }
        #expect(analysis.match.hasLag && analysis.match.lag == lag)
        #expect(abs(try #require(analysis.lag) - Double(lag)) < 0.1)
        #expect(abs(try #require(analysis.loudnessDifference) - 3) < 0.1)
        #expect(analysis.match.correlation > 0.99)
    }

    @Test func steadyTonesTellNoDelayButTheirLoudness() throws {
        let analysis = try Self.heard(5, lag: 480, gain: 0.7079) { i in
            let t = 2 * Double.pi * Double(i) / 48_000
            return Float(0.2 * sin(220 * t) + 0.1 * sin(331 * t))
        }
        #expect(!analysis.match.hasLag)
        #expect(abs(try #require(analysis.loudnessDifference) - 3) < 0.1)
    }

    @Test func silenceTellsNothing() throws {
        let analysis = try Self.heard(4, lag: 0, gain: 1) { _ in 0 }
        #expect(!analysis.match.hasLag && analysis.loudnessDifference == nil && analysis.match.correlation == 0)
    }
}
