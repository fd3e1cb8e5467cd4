import Foundation
import Geometry
import HRTF
import Rendering
import Signal
import Testing

@testable import AudioIO

/// Returns a stage of two loudspeakers with a sphere's responses, or with transparent ones.
func makeStage(transparent: Bool = false, outputGuard: OutputGuard = .off) throws -> StageRenderer {
    let sources = [30.0, -30].map { azimuth in
        SourcePlacement(direction: Direction(azimuthDegrees: azimuth, elevationDegrees: 0))
    }
    var configuration = StageConfiguration(sampleRate: .studio, sources: sources, outputGuard: outputGuard)
    configuration.trim = Decibels(0)
    let field = transparent ? FilterField.impulse(sampleRate: .studio) : FilterField.sphere(sampleRate: .studio)
    return try StageRenderer(configuration, field: field, poses: .fixed(.identity))
}

/// Returns two channels of noise.
func noise(_ frames: Int, seed: UInt64 = 1) -> [[Float]] {
    let block = PlanarBlock(channels: 2, frames: frames)
    fillWithNoise(block, seed: seed)
    return (0..<2).map { Array(UnsafeBufferPointer(start: block[$0], count: frames)) }
}

@Suite struct MemoryDriverTests {
    private func driver(policy: StartPolicy = .firstCycle, frame: UInt32 = 0) throws -> MemoryDriver {
        MemoryDriver(
            renderer: try makeStage(), inputCount: 2, sampleRate: .studio, policy: policy, frame: frame)
    }

    @Test func anySequenceOfPeriodsSoundsTheSame() throws {
        let input = noise(20_000)
        let even = try driver().run(input, periods: Array(repeating: 64, count: 300))
        let odd = try driver().run(input, periods: [1, 8192, 17, 1000, 100, 1024, 63, 65, 5000, 3738])
        for ear in 0..<2 {
            for i in 0..<19_200 { #expect(abs(even[ear][i] - odd[ear][i]) < 1e-6) }
        }
    }

    @Test(arguments: [UInt32(1000), UInt32.max - 100])
    func aStartInsideACycleSplitsIt(clock: UInt32) throws {
        let input = noise(4096)
        let late = try driver(policy: .onRequest, frame: clock)
        late.askToStart(at: clock &+ 812)
        let heard = late.run(input, periods: Array(repeating: 256, count: 16))
        #expect(late.startedFrame == clock &+ 812)
        let fresh = try driver().run(
            input.map { Array($0.dropFirst(812)) }, periods: [212] + Array(repeating: 256, count: 12))
        for ear in 0..<2 {
            #expect(heard[ear].prefix(812).allSatisfy { $0 == 0 })
            #expect(Array(heard[ear].dropFirst(812)) == fresh[ear])
        }
    }

    @Test func aStartTakesTheNextCycleWhereNoFrameIsNamed() throws {
        let late = try driver(policy: .onRequest, frame: 77)
        #expect(late.run(noise(256), periods: [256])[0].allSatisfy { $0 == 0 })
        #expect(late.startedFrame == nil)
        late.askToStart()
        #expect(late.run(noise(256), periods: [256])[0].contains { $0 != 0 })
        #expect(late.startedFrame == UInt32(333))
    }

    @Test func aFrameGoneByStartsNothing() throws {
        let late = try driver(policy: .onRequest, frame: 5000)
        late.askToStart(at: 4999)
        #expect(late.run(noise(512), periods: [256, 256])[0].allSatisfy { $0 == 0 })
        #expect(late.missedStart && late.startedFrame == nil)
    }

    /// The sound before a restart fades out over a few milliseconds. The new stream equals that of a new driver.
    @Test func aRestartForgetsWhatWasBefore() throws {
        let input = noise(4096, seed: 3)
        let fresh = try driver().run(input, periods: Array(repeating: 256, count: 16))
        for isSilentBefore in [true, false] {
            let again = try driver()
            _ = again.run(noise(4096, seed: 2), periods: Array(repeating: 256, count: isSilentBefore ? 48 : 16))
            again.askToStart()
            let heard = again.run(input, periods: Array(repeating: 256, count: 16))
            let from = isSilentBefore ? 0 : 1024
            for ear in 0..<2 { #expect(heard[ear][from...] == fresh[ear][from...]) }
        }
    }

    @Test func aStreamGoesOnUntilTheFrameOfItsRestart() throws {
        let input = noise(1024)
        let plain = try driver().run(input, periods: [256, 256, 256, 256])
        let restarted = try driver()
        restarted.askToStart(at: 600)
        let heard = restarted.run(input, periods: [256, 256, 256, 256])
        #expect(restarted.startedFrame == 600)
        for i in 0..<600 { #expect(abs(heard[0][i] - plain[0][i]) < 1e-6) }
        #expect(heard[0][600...] != plain[0][600...])
    }

    @Test func theTransportStartsTheStreamWhereAsked() throws {
        let input = noise(1024)
        let fresh = try driver().run(input, periods: [256, 256, 256, 256])
        for (policy, isAsked) in [(StartPolicy.transport, true), (.firstCycle, false)] {
            let rolling = try driver(policy: policy)
            _ = rolling.run(noise(1024, seed: 9), periods: [512, 512])
            rolling.isRolling = true
            let heard = rolling.run(input, periods: [256, 256, 256, 256])
            // From 64 frames on the restart's fade-out is over, and the tail of the former stream would still sound.
            #expect((heard[0][64...] == fresh[0][64...]) == isAsked)
        }
    }
}
