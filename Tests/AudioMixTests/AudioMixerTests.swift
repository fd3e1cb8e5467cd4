import FieldScenes
import Foundation
import Signal
import Testing

@testable import AudioMix

/// Properties of the mixer that hold for any recording.
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
        #expect("\(AudioMixError.noSoundField(channels: 6))".contains("the input has 6"))
    }

    @Test func samplesThatAreNotFiniteCountAsSilence() throws {
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
        // Second-degree components of a wave from 30° on the horizon: V, U.
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

    /// The mix differs from the recording only by gains that move. Steps of these gains would add energy above the
    /// speech's own band, from 15 kHz on. This energy must stay low while the stems carry speech.
    @Test(arguments: AudioMixLatency.allCases) func changesOfTheControlsDoNotClick(_ latency: AudioMixLatency) throws {
        let scene = Self.scene(seconds: 8)
        func heard(moves: Bool) throws -> (high: Double, speech: Double) {
            var mixer = try mixer(latency, .cinematic, 1)
            let rows = UnsafeRows(12, 480)
            var (row, speech): ([Float], [Float]) = ([], [])
            for block in 0..<800 {
                if moves {
                    mixer.controls.intensity = block % 40 < 20 ? 0 : 1
                    mixer.controls.style = block % 80 < 40 ? .cinematic : .studio
                    mixer.controls.keepsSpeech = block % 160 < 80
                }
                for c in 0..<4 { for i in 0..<480 { rows[c][i] = scene.rows[c][block * 480 + i] } }
                mixer.process(
                    frames: 480, rows.inputs, into: .init(mix: rows.outputs(4), speech: rows.outputs(8)))
                row += (0..<480).map { rows[4][$0] }
                speech += (0..<480).map { rows[8][$0] }
            }
            // Six differences: a high-pass of 36 dB per octave, which leaves the top of the spectrum only.
            var high = row.map(Double.init)
            for _ in 0..<6 { high = zip(high.dropFirst(), high).map { ($0 - $1) / 2 } }
            let part = high[192_000...].map { Float($0) }
            return (Level.decibels(part[...]), Level.decibels(speech[192_000...]))
        }
        let (moved, still) = (try heard(moves: true), try heard(moves: false))
        #expect(moved.speech > -40)
        #expect(moved.high < still.high + 6, "\(moved.high) dB, where nothing moves \(still.high) dB")
    }

    /// A style lowers ten seconds of ambience and the loudness control raises them again. The voice that follows must
    /// not be raised by that gain.
    @Test(arguments: AudioMixLatency.allCases) func theFirstWordIsNotRaised(_ latency: AudioMixLatency) throws {
        var scene = FieldScene(frames: 720_000)
        let start = 480_000, voice = FieldScene.voice(frames: 240_000, seed: 11)
        scene.add([Float](repeating: 0, count: start) + voice) { _ in 30 }
        scene.addDiffuse(level: 0.002, seed: 12)
        var mixer = try mixer(latency, .studio)
        let mixed = scene.mixed(&mixer)
        let ambience =
            Level.decibels(mixed.mix[0][400_000..<470_000]) - Level.decibels(scene.rows[0][400_000..<470_000])
        #expect(abs(ambience) < 1.5, "\(ambience) dB")
        // Pieces of 50 ms in which the voice is well above the ambience.
        var (worst, pieces) = (-100.0, 0)
        for at in stride(from: start, to: start + 200_000, by: 2400) {
            let part = at..<at + 2400
            let before = Level.decibels(scene.rows[0][part])
            guard before > -40 else { continue }
            pieces += 1
            worst = max(worst, Level.decibels(mixed.mix[0][part]) - before)
        }
        #expect(pieces > 30)
        #expect(worst < 7, "\(worst) dB")
    }

    /// Before an onset, the ceiling lowers a voice to the level of its field. A voice below that level stays the same,
    /// bit for bit.
    @Test func aVoiceIsNoLouderThanItsField() {
        let tuning = AudioMixTuning(.live, sampleRate: .studio), ceiling = VoiceCeiling(tuning, voices: 1)
        let voices = PlanarBlock(channels: 1, frames: 960), field = UnsafeRows(4, 960)
        let sound = (0..<960).map { ($0 < 480 ? 0.001 : 0.2) * Float(sin(0.3 * Double($0))) }
        for i in 0..<960 {
            (field[0][i], field[3][i]) = (sound[i], sound[i])
            voices[0][i] = 0.1 * Float(sin(0.3 * Double(i)))
        }
        let rows = UnsafeRawPointer(field.inputs).assumingMemoryBound(to: UnsafePointer<Float>?.self)
        ceiling.lower(voices, rows, frames: 960)
        let before = (0..<480).map { voices[0][$0] }, after = (528..<960).map { voices[0][$0] }
        #expect(Level.decibels(before[...]) < Level.decibels(sound[..<480]) + 0.1)
        #expect(after == (528..<960).map { 0.1 * Float(sin(0.3 * Double($0))) })
    }
}
