import Foundation
import Signal
import Testing

@testable import AudioMix

/// What holds for any recording.
@Suite struct AudioMixerTests {
    private static func scene(seconds: Double = 4, channels: Int = 4) -> FieldScene {
        var scene = FieldScene(frames: Int(seconds * 48_000), channels: channels)
        scene.add(FieldScene.voice(frames: scene.rows[0].count, seed: 11)) { _ in 30 }
        scene.addDiffuse(level: 0.02, seed: 12)
        return scene
    }

    private func mixer(
        _ latency: AudioMixLatency, _ style: AudioMixStyle = .cinematic, _ intensity: Float = 1, channels: Int = 4
    ) throws -> AudioMixer {
        try AudioMixer(
            sampleRate: .studio, channels: channels, latency: latency,
            controls: AudioMixControls(style: style, intensity: intensity))
    }

    @Test(arguments: AudioMixLatency.allCases, AudioMixStyle.allCases)
    func withoutIntensityTheMixIsTheInputBitForBit(_ latency: AudioMixLatency, _ style: AudioMixStyle) throws {
        var mixer = try mixer(latency, style, 0)
        let scene = Self.scene(seconds: 2), mixed = scene.mixed(&mixer)
        for c in 0..<4 {
            let bits = mixed.mix[c].map { $0.bitPattern }, expected = scene.rows[c].map { $0.bitPattern }
            #expect(bits == expected)
        }
    }

    @Test(arguments: AudioMixLatency.allCases)
    func theStemsAddUpToTheInput(_ latency: AudioMixLatency) throws {
        var mixer = try mixer(latency)
        let scene = Self.scene(), mixed = scene.mixed(&mixer)
        #expect(Level.decibels(mixed.speech[0][96_000...]) > -40)
        for c in 0..<4 {
            for i in 0..<scene.rows[c].count {
                let x = scene.rows[c][i], e = mixed.speech[c][i]
                #expect(mixed.ambience[c][i] == x - e)
            }
        }
    }

    @Test(arguments: AudioMixLatency.allCases)
    func theSameBitsComeHoweverTheFramesAreCut(_ latency: AudioMixLatency) throws {
        let scene = Self.scene(seconds: 3)
        var whole = try mixer(latency, .studio), cut = try mixer(latency, .studio)
        let one = scene.mixed(&whole) { _ in 4096 }
        let other = scene.mixed(&cut) { [1, 63, 480, 17, 2049][$0 % 5] }
        #expect(one.mix == other.mix)
        #expect(one.speech == other.speech)
        #expect(one.voices == other.voices)
        whole.reset()
        let again = scene.mixed(&whole) { _ in 1024 }
        #expect(again.mix == one.mix)
        #expect(again.ambience == one.ambience)
    }

    @Test(arguments: [44_100.0, 48_000, 96_000, 16_000])
    func liveIsHeardWithinTenMilliseconds(_ hertz: Double) throws {
        let rate = try #require(SampleRate(hertz: hertz))
        let live = try AudioMixer(sampleRate: rate, channels: 4, latency: .live)
        #expect(Double(live.latency) / hertz <= 0.01)
        let player = try AudioMixer(sampleRate: rate, channels: 4, latency: .player)
        #expect(Double(player.latency) / hertz < 1.5)
    }

    @Test func channelsThatAreNoFieldAreRefused() throws {
        for channels in [0, 1, 3, 5, 8, 81] {
            #expect(throws: AudioMixError.noSoundField(channels: channels)) {
                _ = try AudioMixer(sampleRate: .studio, channels: channels)
            }
        }
        #expect("\(AudioMixError.noSoundField(channels: 6))".contains("this has 6"))
    }

    @Test func whatIsNotFiniteCountsAsSilence() throws {
        var scene = Self.scene(seconds: 2), clean = scene
        for i in stride(from: 20_000, to: 60_000, by: 777) {
            scene.rows[i % 4][i] = i % 2 == 0 ? .nan : .infinity
            clean.rows[i % 4][i] = 0
        }
        var first = try mixer(.live), second = try mixer(.live)
        let one = scene.mixed(&first), other = clean.mixed(&second)
        #expect(one.mix == other.mix)
        let isFinite = one.mix.allSatisfy { row in row.allSatisfy { $0.isFinite } }
        #expect(isFinite)
    }

    @Test func higherOrdersLoseTheSpeechTooAndKeepTheirSum() throws {
        var scene = FieldScene(frames: 192_000, channels: 9)
        scene.add(FieldScene.voice(frames: 192_000, seed: 11)) { _ in 30 }
        // Degree two of a wave from 30° on the horizon: V, U.
        let (double, sine) = (Double.pi / 3, 0.866_025_4)
        for i in 0..<192_000 {
            scene.rows[4][i] = scene.rows[0][i] * Float(sine * sin(double))
            scene.rows[6][i] = scene.rows[0][i] * -0.5
            scene.rows[8][i] = scene.rows[0][i] * Float(sine * cos(double))
        }
        var mixer = try mixer(.player, channels: 9)
        let mixed = scene.mixed(&mixer)
        for c in [0, 1, 3, 4, 6, 8] {
            let taken = Level.decibels(mixed.ambience[c][96_000...]) - Level.decibels(scene.rows[c][96_000...])
            #expect(taken < -15, "channel \(c) keeps \(taken) dB")
        }
    }

    @Test func amountsThatMoveDoNotClick() throws {
        var scene = FieldScene(frames: 288_000)
        scene.add((0..<288_000).map { Float(0.2 * sin(2 * .pi * 200 * Double($0) / 48_000)) }) { _ in 60 }
        var mixer = try mixer(.live, .cinematic, 0)
        let rows = UnsafeRows(8, 480)
        var last: Float = 0, before: Float = 0, sharpest: Float = 0
        for block in 0..<600 {
            mixer.controls.intensity = block % 40 < 20 ? 0 : 1
            mixer.controls.style = block % 80 < 40 ? .cinematic : .studio
            for c in 0..<4 { for i in 0..<480 { rows[c][i] = scene.rows[c][block * 480 + i] } }
            mixer.process(frames: 480, rows.inputs, into: .init(mix: rows.outputs(4)))
            for i in 0..<480 {
                if block > 2 { sharpest = max(sharpest, abs(rows[4][i] - 2 * last + before)) }
                (before, last) = (last, rows[4][i])
            }
        }
        // The second difference: of the tone 0.2·(2π·200/48000)² = 0.000 14, of a jump of its amplitude 0.2, of a gain that turns by
        // three within 5 ms 0.0025.
        #expect(sharpest < 0.006)
    }
}
