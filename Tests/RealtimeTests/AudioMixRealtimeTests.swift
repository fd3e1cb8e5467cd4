import AudioMix
import CRealtime
import Signal
import Testing

/// The Audio Mix under RealtimeSanitizer, see `RealtimeTests`.
@Suite struct AudioMixRealtimeTests {
    @Test(arguments: AudioMixStyle.allCases, AudioMixLatency.allCases)
    func mixesNeitherLockNorAllocate(_ style: AudioMixStyle, _ latency: AudioMixLatency) throws {
        _ = prc_realtime_probe_is_linked()
        let rows = PlanarBlock(channels: 4 * 9 + 2, frames: 8192)
        for channel in 0..<9 {
            for i in 0..<8192 { rows[channel][i] = i % 3000 < 2000 ? Float((i * (channel + 3)) % 101) / 101 - 0.5 : 0 }
        }
        rows[1][77] = .nan
        var mixer = try AudioMixer(sampleRate: .studio, channels: 9, latency: latency)
        let inputs = UnsafeRawPointer(rows.pointers).assumingMemoryBound(to: UnsafePointer<Float>.self)
        let outputs = AudioMixer.Outputs(
            mix: rows.pointers + 9, speech: rows.pointers + 18, ambience: rows.pointers + 27, voices: rows.pointers + 36
        )
        for (index, frames) in [64, 256, 16, 100, 1, 0, 1000, 8192, 63, 8192, 8192, 17].enumerated() {
            let controls = AudioMixControls(style: style, intensity: Float(index) / 10, keepsSpeech: index % 2 == 0)
            prc_realtime_probe_enter()
            mixer.controls = controls
            if index == 6 { mixer.reset() }
            mixer.process(frames: frames, inputs, into: outputs)
            _ = mixer.talker(0)
            prc_realtime_probe_exit()
        }
        #expect(rows[9][0].isFinite)
    }
}
