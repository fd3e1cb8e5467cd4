import AudioMix
import CRealtime
import FieldScenes
import Signal
import Testing

/// The Audio Mix under RealtimeSanitizer, see `RealtimeTests`.
@Suite struct AudioMixRealtimeTests {
    /// Two talkers in noise for four seconds, longer than the look-ahead, with all stems open.
    @Test(arguments: AudioMixStyle.allCases, AudioMixLatency.allCases)
    func mixesNeitherLockNorAllocate(_ style: AudioMixStyle, _ latency: AudioMixLatency) throws {
        _ = prc_realtime_probe_is_linked()
        let frames = 192_000
        var scene = FieldScene(frames: frames, channels: 9)
        scene.add(FieldScene.voice(frames: frames, seed: 11)) { _ in 30 }
        scene.add(FieldScene.voice(frames: frames, seed: 13, pitch: 190)) { _ in -80 }
        scene.addDiffuse(level: 0.003, seed: 12)
        scene.rows[1][77] = .nan
        let rows = PlanarBlock(channels: 5 * 9 + 4, frames: 8192)
        let camera = CameraPath([.init(seconds: 0, heading: 0), .init(seconds: 4, heading: 1, field: 1)])
        var mixer = try AudioMixer(sampleRate: .studio, channels: 9, latency: latency, camera: camera, placed: 2)
        let inputs = UnsafeRawPointer(rows.pointers).assumingMemoryBound(to: UnsafePointer<Float>.self)
        let outputs = AudioMixer.Outputs(
            mix: rows.pointers + 9, speech: rows.pointers + 18, ambience: rows.pointers + 27,
            voices: rows.pointers + 36, placed: rows.pointers + 38, objects: rows.pointers + 47)
        let sizes = [64, 256, 16, 100, 1, 0, 1000, 8192, 63, 4096, 17]
        var (done, call, loudest, talkers) = (0, 0, Float(0), 0)
        while done < frames {
            let count = min(sizes[call % sizes.count], frames - done)
            for channel in 0..<9 { for i in 0..<count { rows[channel][i] = scene.rows[channel][done + i] } }
            let controls = AudioMixControls(
                style: style, intensity: Float(call % 10) / 10, keepsSpeech: call % 2 == 0)
            prc_realtime_probe_enter()
            mixer.controls = controls
            if done < 20_000, call == 6 { mixer.reset() }
            mixer.process(frames: count, inputs, into: outputs)
            let states = (mixer.talker(0), mixer.talker(1))
            let place = mixer.place(1, ahead: 64)
            prc_realtime_probe_exit()
            talkers = max(talkers, (states.0 == nil ? 0 : 1) + (states.1 == nil ? 0 : 1))
            #expect(abs((place * place).sum() - 1) < 1e-5)
            for i in 0..<count { loudest = max(loudest, abs(rows[18][i])) }
            done += count
            call += 1
        }
        #expect(talkers == 2)
        #expect(loudest > 0.01)
    }
}
