import CRealtime
import Geometry
import HRTF
import Signal
import Soundstage
import Testing

@testable import Rendering

/// The whole monitor section, switched while it plays, under RealtimeSanitizer.
@Suite struct MonitorRealtimeTests {
    @Test func theMonitorSectionNeitherLocksNorAllocates() throws {
        _ = prc_realtime_probe_is_linked()
        let layout = try Layout.named("7.1.4")
        let programme = Programme(layout: layout)
        let renderer = try StageRenderer(
            StageConfiguration(
                sampleRate: .studio,
                sources: layout.loudspeakers.map {
                    SourcePlacement(
                        direction: $0.direction, motion: $0.isLowFrequency ? .direct(left: 1, right: 1) : .tracked)
                },
                programmes: [StageProgramme(programme, controls: ProgrammeControls(programme))]),
            field: .sphere(sampleRate: .studio), poses: .mailbox)
        let input = PlanarBlock(channels: 12, frames: 8192)
        let output = PlanarBlock(channels: 2, frames: 8192)
        for channel in 0..<12 { for i in 0..<8192 { input[channel][i] = Float((i * (channel + 3)) % 101) / 101 } }
        let inputs = UnsafeRawPointer(input.pointers).assumingMemoryBound(to: UnsafePointer<Float>.self)
        let targets = [nil, "5.1", "mono", "7.1", "stereo"]
        for (index, frames) in [64, 256, 16, 100, 1, 0, 1000, 8192, 63, 17, 64, 8192, 4096, 640].enumerated() {
            try renderer.monitor.fold(to: try targets[index % 5].map { try Layout.named($0) })
            renderer.monitor.playNoise(from: index % 3 == 0 ? nil : index % 12)
            renderer.monitor.change { controls in
                for source in 0..<12 { controls.loudspeakers[source] = Float((source + index) % 3 - 1) }
                controls.level = Float(index % 4)
                controls.isMono = index % 2 == 0
                controls.hearsReference = index % 3 == 1
                controls.talkbackGain = Float(index % 3)
            }
            renderer.programmes[0].change {
                $0.isInverted = index % 2 == 1
                $0.gainPastStage = Float(index % 5)
                $0.mode = index % 4 == 3 ? .off : .tracked
            }
            if index % 5 == 4 { renderer.gate.pointee.close() }
            if index % 5 == 0 {
                renderer.gate.pointee.hold()
                renderer.gate.pointee.release()
            }
            var feed = MonitorFeed()
            (feed.left, feed.right, feed.talkback) = (inputs[0], inputs[1], index % 2 == 0 ? inputs[2] : nil)
            let time = PeriodTime(restart: index == 6, live: true, heardAt: Double(index) + 0.01)
            prc_realtime_probe_enter()
            renderer.handle.pointee.process(inputs: inputs, outputs: output.pointers, frames: frames, time: time)
            renderer.handle.pointee.finish(output.pointers, frames: frames, feed: feed)
            prc_realtime_probe_exit()
        }
        #expect(renderer.telemetry()?.periods == 14)
    }
}
