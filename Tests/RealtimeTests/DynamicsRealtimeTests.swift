import CRealtime
import Signal
import Soundstage
import Testing

/// Dynamics under RealtimeSanitizer, see `RealtimeTests`.
@Suite struct DynamicsRealtimeTests {
    @Test(arguments: [SampleRate.cd, .studio])
    func dynamicsNeitherLockNorAllocate(_ sampleRate: SampleRate) {
        _ = prc_realtime_probe_is_linked()
        let channels = 12
        let block = PlanarBlock(channels: channels, frames: 8192)
        for channel in 0..<channels {
            for i in 0..<8192 { block[channel][i] = 4 * Float((i * (channel + 3)) % 101) / 101 - 2 }
        }
        block[1][77] = .nan
        var dynamics = DynamicRange(
            sampleRate: sampleRate, channelWeights: (0..<channels).map { $0 == 3 ? 0 : $0 == 4 ? 1.41 : 1 },
            maximumFrames: 8192)
        let lengths = [64, 256, 16, 100, 1, 0, 1000, 8192, 63, 17, 64]
        for profile in CompressionProfile.allCases {
            for (index, frames) in lengths.enumerated() {
                let controls = DynamicsControls(
                    normalisation: Float(index) - 5, profile: index == 5 ? .none : profile, cutScale: 0.5,
                    reference: -24)
                prc_realtime_probe_enter()
                if index == 6 { dynamics.restart() }
                dynamics.process(rows: block.pointers, frames: frames, controls: controls)
                prc_realtime_probe_exit()
            }
            #expect(dynamics.gain.isFinite)
        }
    }
}
