import CRealtime
import Geometry
import HRTF
import Signal
import Soundstage
import Testing

@testable import Rendering

/// Renditions that come, go and are selected, on the audio thread under RealtimeSanitizer.
@Suite struct RenditionRealtimeTests {
    /// Returns a stage of one programme that follows the head.
    private func stage(_ programme: Programme) throws -> StageRenderer {
        let sources = programme.layout.loudspeakers.map {
            SourcePlacement(
                direction: $0.direction, motion: $0.isLowFrequency ? .direct(left: 1, right: 1) : .tracked)
        }
        return try StageRenderer(
            StageConfiguration(
                sampleRate: .studio, sources: sources,
                programmes: [StageProgramme(programme, controls: ProgrammeControls(programme))]),
            field: .sphere(sampleRate: .studio), poses: .mailbox)
    }

    @Test func handOversNeitherLockNorAllocate() throws {
        _ = prc_realtime_probe_is_linked()
        let programme = Programme(
            layout: try .named("7.1.4"), hasStereoRendition: true, handOver: HandOver(hold: 0.02, alignment: 0.02))
        let renderer = try stage(programme)
        let count = renderer.configuration.inputCount
        let input = PlanarBlock(channels: count, frames: 2048)
        let output = PlanarBlock(channels: 2, frames: 2048)
        for channel in 0..<count { for i in 0..<2048 { input[channel][i] = Float((i * (channel + 3)) % 101) / 101 } }
        let inputs = UnsafeRawPointer(input.pointers).assumingMemoryBound(to: UnsafePointer<Float>.self)
        let connected = UnsafeMutablePointer<Bool>.allocate(capacity: count)
        defer { connected.deallocate() }
        for (index, frames) in [256, 256, 100, 2048, 64, 17, 2048, 256, 1, 0, 2048, 2048].enumerated() {
            for channel in 0..<count { connected[channel] = index % 3 != 1 || channel >= count - (index % 2) * 2 }
            renderer.programmes[0].change {
                $0.renditions.choice = index < 6 ? .auto : [.auto, .multichannel, .stereo][index % 3]
                $0.renditions.match.hasLag = index > 2
                $0.renditions.match.lag = 37 * index - 100
                $0.renditions.match.stereoGain = Float(index) - 5
                $0.renditions.match.momentaryGain = Float(index) - 3
                $0.renditions.match.colour[index % RenditionColour.bandCount] = 4 - Float(index)
            }
            let time = PeriodTime(restart: index == 8, live: true, followsGap: index % 4 == 3, heardAt: Double(index))
            prc_realtime_probe_enter()
            renderer.handle.pointee.process(
                inputs: inputs, outputs: output.pointers, frames: frames, time: time, connected: connected)
            prc_realtime_probe_exit()
        }
        #expect(renderer.telemetry()?.periods == 12)
    }

    /// Stereo upmixed to a stage, whose timbre correction follows the head and the HRTF set.
    @Test func openedStereoNeitherLocksNorAllocates() throws {
        _ = prc_realtime_probe_is_linked()
        let programme = Programme(
            layout: try .named("9.1.6"), hasMultichannelRendition: false, hasStereoRendition: true, upmix: UpmixPlan())
        let renderer = try stage(programme)
        let input = PlanarBlock(channels: 2, frames: 2048)
        let output = PlanarBlock(channels: 2, frames: 2048)
        for channel in 0..<2 { for i in 0..<2048 { input[channel][i] = Float((i * (channel + 3)) % 101) / 101 } }
        let inputs = UnsafeRawPointer(input.pointers).assumingMemoryBound(to: UnsafePointer<Float>.self)
        for (index, frames) in [256, 100, 2048, 64, 17, 2048, 1, 0, 2048].enumerated() {
            renderer.mailbox.store(.still(Rotation(yaw: 0.3 * Double(index))))
            if index % 3 == 2 { try renderer.publish(field: .sphere(sampleRate: .studio, earAzimuthDegrees: 80)) }
            prc_realtime_probe_enter()
            renderer.handle.pointee.process(
                inputs: inputs, outputs: output.pointers, frames: frames,
                time: PeriodTime(restart: index == 6, live: true, heardAt: Double(index)))
            prc_realtime_probe_exit()
        }
        #expect(renderer.telemetry()?.periods == 9)
    }
}
