import CRealtime
import Geometry
import HRTF
import Signal
import Soundstage
import Testing

@testable import Rendering

/// A gate that closes and opens, and a sound field that is ducked, under RealtimeSanitizer.
@Suite struct RouteRealtimeTests {
    @Test func mutingAndDuckingNeitherLockNorAllocate() throws {
        _ = prc_realtime_probe_is_linked()
        let talk = Programme(name: "talk", layout: try .named("mono"))
        let renderer = try StageRenderer(
            StageConfiguration(
                sampleRate: .studio,
                sources: [SourcePlacement(direction: Direction(azimuthDegrees: 30, elevationDegrees: 0))],
                programmes: [
                    StageProgramme(talk, controls: ProgrammeControls(talk)),
                    StageProgramme(try AmbisonicFormat(order: 1, convention: .sn3d)),
                ]),
            field: .sphere(sampleRate: .studio), poses: .mailbox)
        let count = renderer.configuration.inputCount
        let input = PlanarBlock(channels: count, frames: 8192)
        let output = PlanarBlock(channels: 2, frames: 8192)
        for channel in 0..<count { for i in 0..<8192 { input[channel][i] = Float((i * (channel + 3)) % 101) / 101 } }
        let inputs = UnsafeRawPointer(input.pointers).assumingMemoryBound(to: UnsafePointer<Float>.self)
        for (index, frames) in [64, 256, 16, 100, 1, 0, 1000, 8192, 63, 17, 64, 8192].enumerated() {
            renderer.lead?.change {
                $0.level = index % 2 == 0 ? 0.25 : 1
                $0.mode = index % 3 == 0 ? .fixed : .tracked
                $0.dynamics = DynamicsControls(normalisation: Float(index), profile: .speech, reference: -20)
            }
            let time = PeriodTime(restart: index == 6, live: true, heardAt: Double(index) + 0.01)
            prc_realtime_probe_enter()
            if index % 4 == 0 { renderer.gate.pointee.close() }
            renderer.handle.pointee.process(inputs: inputs, outputs: output.pointers, frames: frames, time: time)
            prc_realtime_probe_exit()
            if !renderer.gate.pointee.isOpen { renderer.gate.pointee.hold() }
            if index % 4 == 3 { renderer.gate.pointee.release() }
        }
        #expect(renderer.telemetry()?.periods == 12)
    }
}
