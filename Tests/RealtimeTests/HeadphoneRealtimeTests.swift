import CRealtime
import Geometry
import HRTF
import Headphones
import Signal
import Testing

@testable import Rendering

/// The headphone equaliser under RealtimeSanitizer: at rest, switched, exchanged, removed, restarted, in periods of any
/// length.
@Suite struct HeadphoneRealtimeTests {
    @Test(arguments: [64, 128, 256]) func equalisationNeitherLocksNorAllocates(_ slice: Int) throws {
        _ = prc_realtime_probe_is_linked()
        let text = try EqualiserText(
            "Preamp: -6 dB\nFilter: ON LSC Fc 105 Hz Gain 5.5 dB Q 0.7\nChannel: L\nFilter: ON PK Fc 3000 Hz Gain -4 dB Q 2",
            name: "")
        var equaliser = try HeadphoneEqualiser(text, name: "") { response throws(HeadphonesError) in
            throw .unreadable(response.path, "")
        }
        let sections = HeadphoneFilter(equaliser, sampleRate: .studio)
        equaliser.curves = try [3.0, -2].map { [try #require(GainCurve([(100, $0), (5000, -6)]))] }
        let curves = HeadphoneFilter(equaliser, sampleRate: .studio)
        var configuration = StageConfiguration(
            sampleRate: .studio, slice: slice,
            sources: [SourcePlacement(direction: Direction(azimuthDegrees: 30, elevationDegrees: 0))])
        configuration.headphones = sections
        let renderer = try StageRenderer(
            configuration, field: .sphere(sampleRate: .studio), poses: .fixed(.identity))
        let longest = 8192
        let input = PlanarBlock(channels: 1, frames: longest)
        let output = PlanarBlock(channels: 2, frames: longest)
        for frame in 0..<longest { input[0][frame] = Float(frame * 7919 % 101) / 101 - 0.5 }
        var inputs = [UnsafePointer(input[0])]
        var outputs = [output[0], output[1]]
        for (index, frames) in [64, 8192, 100, 1, 8192, 0, 8192, 777, 8192, 8192, 8192].enumerated() {
            if index == 1 { renderer.headphones.publish(curves) }
            if index == 3 { renderer.headphones.set(on: false) }
            if index == 5 { renderer.headphones.publish(sections) }
            if index == 6 { renderer.headphones.set(on: true) }
            if index == 8 { renderer.headphones.publish(nil) }
            let time = PeriodTime(restart: index == 7, live: true, heardAt: Double(index) * 0.1)
            inputs.withUnsafeMutableBufferPointer { inputs in
                outputs.withUnsafeMutableBufferPointer { outputs in
                    guard let inputs = inputs.baseAddress, let outputs = outputs.baseAddress else { return }
                    prc_realtime_probe_enter()
                    renderer.handle.pointee.process(inputs: inputs, outputs: outputs, frames: frames, time: time)
                    prc_realtime_probe_exit()
                }
            }
        }
        #expect(renderer.headphones.count == 1)
    }
}
