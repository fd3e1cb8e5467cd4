import CRealtime
import Geometry
import HRTF
import Rendering
import Signal
import Testing

@testable import AudioIO

/// Stages that replace one another while they play, under RealtimeSanitizer.
@Suite struct HotSwapRealtimeTests {
    private static func part(_ radius: Double) throws -> StagePart {
        let sources = [30.0, -30].map {
            SourcePlacement(direction: Direction(azimuthDegrees: $0, elevationDegrees: 0))
        }
        let renderer = try StageRenderer(
            StageConfiguration(sampleRate: .studio, sources: sources),
            field: .sphere(sampleRate: .studio, radius: radius), poses: .fixed(.identity))
        return StagePart(renderer, inputs: .numbered(2))
    }

    @Test func aStageThatComesInFadesAndGoesWithoutLockOrAllocation() throws {
        _ = prc_realtime_probe_is_linked()
        let radii = [0.08, 0.0875, 0.095, 0.08]
        var parts = [try Self.part(radii[0])]
        func cast(_ parts: [StagePart], heard: Int) -> UnsafeMutablePointer<StageCast> {
            let cast = UnsafeMutablePointer<StageCast>.allocate(capacity: 1)
            cast.initialize(to: StageCast(parts, heard: heard, sampleRate: .studio))
            return cast
        }
        var casts = [cast(parts, heard: 0)]
        let cycle = UnsafeMutablePointer<StageCycle>.allocate(capacity: 1)
        cycle.initialize(to: StageCycle(casts[0], sampleRate: .studio, policy: .firstCycle))
        let input = PlanarBlock(channels: 2, frames: 256)
        let output = PlanarBlock(channels: 2, frames: 256)
        var frame: UInt32 = 0
        /// Runs cycles of 256 frames; in the first the cycle adopts `cast`.
        func run(_ cycles: Int, over cast: UnsafeMutablePointer<StageCast>) {
            for index in 0..<cycles {
                for channel in 0..<2 {
                    for i in 0..<256 { input[channel][i] = Float((Int(frame) + i) % (97 + channel)) / 97 - 0.5 }
                }
                prc_realtime_probe_enter()
                if index == 0 { cycle.pointee.adopt(cast) }
                for channel in 0..<2 { cycle.pointee.inputs[channel] = UnsafePointer(input[channel]) }
                for ear in 0..<2 { cycle.pointee.outputs[ear] = output[ear] }
                cycle.pointee.run(
                    frames: 256, firstFrame: frame, live: true, heardAt: Double(frame) / 48_000, isRolling: false)
                prc_realtime_probe_exit()
                frame &+= 256
            }
        }
        run(4, over: casts[0])
        for radius in radii.dropFirst() {
            // The next stage plays muted, is crossfaded to, and then plays alone.
            let next = try Self.part(radius)
            let both = cast([next, parts[0]], heard: 1)
            run(4, over: both)
            both.pointee.hear(0)
            run(12, over: both)
            let isSettled = both.pointee.isSettled
            #expect(isSettled)
            let alone = cast([next], heard: 0)
            run(2, over: alone)
            casts += [both, alone]
            parts = [next]
        }
        #expect(parts[0].renderer.telemetry()?.streamFrame == Int(frame))
        #expect((0..<256).contains { output[0][$0] != 0 })
        cycle.deinitialize(count: 1)
        cycle.deallocate()
        for cast in casts {
            cast.deinitialize(count: 1)
            cast.deallocate()
        }
    }
}
