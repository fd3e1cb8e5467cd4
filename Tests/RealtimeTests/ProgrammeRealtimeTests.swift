import CRealtime
import FakePlugins
import Geometry
import HRTF
import Inserts
import Signal
import Soundstage
import Testing

@testable import Rendering

/// Programmes on the audio thread under RealtimeSanitizer, with every change a session can make.
@Suite struct ProgrammeRealtimeTests {
    @Test func programmesNeitherLockNorAllocate() throws {
        _ = prc_realtime_probe_is_linked()
        var programmes = [
            Programme(layout: try .named("7.1.4")),
            Programme(name: "talk", layout: try .named("mono"), role: .fixed),
            Programme(name: "click", layout: try .named("stereo"), role: .direct),
            Programme(name: "reverb", layout: try .named("5.1")),
        ]
        programmes[3].isEffect = true
        let sends = try [0, 1].map { index in
            ProgrammeSend(
                programme: index, matrix: try programmes[index].layout.conversion(to: programmes[3].layout), gain: 0.5)
        }
        let sources = programmes.enumerated().flatMap { index, programme in
            programme.layout.loudspeakers.map {
                SourcePlacement(
                    direction: $0.direction, motion: $0.isLowFrequency ? .direct(left: 1, right: 1) : .tracked,
                    programme: index)
            }
        }
        let renderer = try StageRenderer(
            StageConfiguration(
                sampleRate: .studio, sources: sources,
                programmes: programmes.map {
                    StageProgramme($0, controls: ProgrammeControls($0), sends: $0.isEffect ? sends : [])
                }),
            field: .sphere(sampleRate: .studio), poses: .mailbox)
        var chains = [[InsertRequest]](repeating: [], count: renderer.inserts.places.count)
        chains[3] = [FakePlugin(channels: 6, delay: 30).request(channels: 6)]
        let count = renderer.configuration.inputCount
        let input = PlanarBlock(channels: count, frames: 8192)
        let output = PlanarBlock(channels: 2, frames: 8192)
        for channel in 0..<count { for i in 0..<8192 { input[channel][i] = Float((i * (channel + 3)) % 101) / 101 } }
        let inputs = UnsafeRawPointer(input.pointers).assumingMemoryBound(to: UnsafePointer<Float>.self)
        for (index, frames) in [64, 256, 16, 100, 1, 0, 1000, 8192, 63, 17, 64, 8192].enumerated() {
            let programme = renderer.programmes[index % 4]
            programme.change { controls in
                controls.level = index % 2 == 0 ? 0.5 : 1
                controls.dynamics = DynamicsControls(
                    normalisation: Float(index), profile: index % 2 == 0 ? .speech : .none, reference: -20)
                controls.mode = [.off, .fixed, .tracked][index % 3]
                controls.width = Double(index % 3)
                controls.place = Rotation<Stage, Stage>(yaw: Double(index)).quaternion
            }
            if index == 3 { renderer.inserts.ask(for: chains) }
            renderer.inserts.advance()
            if index == 4 { try renderer.publish(field: .sphere(sampleRate: .studio, radius: 0.08)) }
            renderer.mailbox.store(
                PoseForecast(
                    pose: Rotation(yaw: Double(index)), rate: SIMD3(1, 2, 3), time: Double(index), decay: 0.1,
                    horizon: 0.1))
            let time = PeriodTime(restart: index == 6, live: index % 3 != 2, heardAt: Double(index) + 0.01)
            prc_realtime_probe_enter()
            renderer.handle.pointee.process(inputs: inputs, outputs: output.pointers, frames: frames, time: time)
            prc_realtime_probe_exit()
        }
        #expect(renderer.telemetry()?.periods == 12)
    }
}
