import CRealtime
import Signal
import Soundstage
import Testing

/// The upmix under RealtimeSanitizer, see `RealtimeTests`.
@Suite struct UpmixRealtimeTests {
    @Test(arguments: UpmixMode.allCases, UpmixLatency.allCases)
    func upmixesNeitherLockNorAllocate(_ mode: UpmixMode, _ latency: UpmixLatency) throws {
        _ = prc_realtime_probe_is_linked()
        let layout = try Layout.named("9.1.6")
        let input = PlanarBlock(channels: 2, frames: 8192)
        let rows = PlanarBlock(channels: layout.channelCount, frames: 8192)
        for channel in 0..<2 {
            for i in 0..<8192 { input[channel][i] = i % 3000 < 2000 ? Float((i * (channel + 3)) % 101) / 101 - 0.5 : 0 }
        }
        input[1][77] = .nan
        var upmixer = try StereoUpmixer(sampleRate: .studio, layout: layout, mode: mode, latency: latency)
        for (index, frames) in [64, 256, 16, 100, 1, 0, 1000, 8192, 63, 17, 64].enumerated() {
            upmixer.controls = UpmixControls(centre: Float(index) / 10, width: 0.5, ambience: 1)
            prc_realtime_probe_enter()
            if index == 6 { upmixer.reset() }
            upmixer.process(frames: frames, left: input[0], right: input[1], into: rows.pointers)
            prc_realtime_probe_exit()
        }
        #expect(rows[0][0].isFinite)
    }
}
