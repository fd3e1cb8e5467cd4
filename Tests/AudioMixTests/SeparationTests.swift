import FieldScenes
import Foundation
import SeededRandom
import Signal
import Testing

@testable import AudioMix

/// Tests of the separation on synthetic fields. Documentation/explanation/audio-mix.md has the figures for rooms and
/// spoken sentences.
@Suite struct SeparationTests {
    private static let frames = 480_000
    private static let settled = 192_000..<470_000

    private func separated(
        _ scene: FieldScene, _ latency: AudioMixLatency = .player, _ controls: AudioMixControls = AudioMixControls()
    ) throws -> FieldScene.Mixed {
        var mixer = try AudioMixer(sampleRate: .studio, channels: 4, latency: latency, controls: controls)
        return scene.mixed(&mixer)
    }

    @Test(arguments: [(AudioMixLatency.player, 10.0), (.live, 7.0)])
    func aTalkerIsTakenOutOfDiffuseNoise(_ latency: AudioMixLatency, _ least: Double) throws {
        let voice = FieldScene.voice(frames: Self.frames, seed: 21)
        var scene = FieldScene(frames: Self.frames)
        scene.add(voice) { _ in -40 }
        scene.addDiffuse(level: Float(pow(10, Level.decibels(voice[...]) / 20)), seed: 22)
        let mixed = try separated(scene, latency), part = Self.settled
        let gain =
            Level.distortion(mixed.speech[0][part], of: voice[part])
            - Level.distortion(scene.rows[0][part], of: voice[part])
        #expect(gain > least, "\(gain) dB")
        let states = mixed.talkers.filter { $0.seconds > 4 && $0.seconds < 9 }
        #expect(states.allSatisfy { $0.states[1] == nil })
        for state in states {
            let u = try #require(state.states[0]).direction
            let azimuth = Double(atan2(u.y, u.x)) * 180 / Double.pi
            #expect(abs(azimuth + 40) < 6)
            #expect(abs(u.z) < 0.12)
        }
    }

    @Test func twoTalkersHaveAVoiceEach() throws {
        let one = FieldScene.voice(frames: Self.frames, seed: 31),
            two = FieldScene.voice(frames: Self.frames, seed: 32, pitch: 190)
        var scene = FieldScene(frames: Self.frames)
        scene.add(one) { _ in 50 }
        scene.add(two) { _ in -60 }
        scene.addDiffuse(level: 0.004, seed: 33)
        let mixed = try separated(scene), part = Self.settled
        let places = try (0..<2).map { talker in
            let u = try #require(mixed.talkers[300].states[talker]).direction
            return Double(atan2(u.y, u.x)) * 180 / Double.pi
        }
        let first = abs(places[0] - 50) < 10 ? 0 : 1
        #expect(abs(places[first] - 50) < 10)
        #expect(abs(places[1 - first] + 60) < 10)
        #expect(Level.distortion(mixed.voices[first][part], of: one[part]) > 8.5)
        #expect(Level.distortion(mixed.voices[1 - first][part], of: two[part]) > 8.5)
    }

    @Test(arguments: AudioMixLatency.allCases)
    func aLowVoiceInQuietIsHeard(_ latency: AudioMixLatency) throws {
        let voice = FieldScene.voice(frames: Self.frames, seed: 23, pitch: 95)
        var scene = FieldScene(frames: Self.frames)
        scene.add(voice) { _ in 25 }
        scene.addDiffuse(level: Float(pow(10, (Level.decibels(voice[...]) - 10) / 20)), seed: 24)
        let mixed = try separated(scene, latency), part = Self.settled
        #expect(abs(Level.decibels(mixed.speech[0][part]) - Level.decibels(voice[part])) < 1)
        #expect(mixed.talkers.filter { $0.seconds > 4 }.allSatisfy { ($0.states[0]?.presence ?? 0) > 0.9 })
    }

    @Test(arguments: AudioMixLatency.allCases)
    func burstsOfNoiseAreNoSpeech(_ latency: AudioMixLatency) throws {
        var random = SplitMix(state: 25), scene = FieldScene(frames: Self.frames)
        // Three bursts a second, the rate of syllables.
        let bursts = (0..<Self.frames).map { $0 % 16_000 < 8000 ? Float(0.2 * (random.unit() - 0.5)) : 0 }
        scene.add(bursts) { _ in 25 }
        scene.addDiffuse(level: 0.01, seed: 26)
        let taken = Level.decibels(try separated(scene, latency).speech[0][...]) - Level.decibels(bursts[...])
        #expect(taken < -25, "\(taken) dB")
    }

    @Test(arguments: AudioMixLatency.allCases)
    func nothingIsTakenOutOfNoiseAlone(_ latency: AudioMixLatency) throws {
        var scene = FieldScene(frames: Self.frames)
        scene.addDiffuse(level: 0.05, seed: 41)
        let mixed = try separated(scene, latency, AudioMixControls(style: .studio))
        let taken = Level.decibels(mixed.speech[0][...]) - Level.decibels(scene.rows[0][...])
        #expect(taken < -15)
    }

    @Test(arguments: AudioMixLatency.allCases)
    func aTalkerWhoMovesIsFollowed(_ latency: AudioMixLatency) throws {
        var scene = FieldScene(frames: 288_000)
        scene.add(FieldScene.voice(frames: 288_000, seed: 51)) { -60 + 30 * $0 }
        scene.addDiffuse(level: 0.005, seed: 52)
        let reports = try separated(scene, latency).talkers.filter { $0.seconds < 5.9 && $0.states[0] != nil }
        let start = try #require(reports.first).seconds + 0.3
        let errors = reports.filter { $0.seconds > start }.compactMap { report -> Double? in
            guard let u = report.states[0]?.direction else { return nil }
            let azimuth = Double(atan2(u.y, u.x)) * 180 / Double.pi
            return remainder(azimuth + 60 - 30 * report.seconds, 360)
        }
        let error = (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
        #expect(errors.count > 100)
        #expect(error < 5, "\(error)°")
    }

    @Test func theCameraHearsWhatItSees() throws {
        let inside = FieldScene.voice(frames: Self.frames, seed: 61),
            outside = FieldScene.voice(frames: Self.frames, seed: 62, pitch: 170)
        // The talkers alternate every two seconds.
        func turn(_ voice: [Float], _ phase: Int) -> [Float] {
            voice.indices.map { $0 / 96_000 % 2 == phase ? voice[$0] : 0 }
        }
        var scene = FieldScene(frames: Self.frames)
        scene.add(turn(inside, 0)) { _ in 20 }
        scene.add(turn(outside, 1)) { _ in 90 }
        scene.addDiffuse(level: 0.002, seed: 63)
        var controls = AudioMixControls(style: .inFrame, fieldOfView: .pi / 3)
        func apart(_ mixed: FieldScene.Mixed) -> Double {
            let (a, b) = (205_000..<280_000, 300_000..<376_000)
            return Level.decibels(mixed.mix[0][a]) - Level.decibels(scene.rows[0][a])
                - (Level.decibels(mixed.mix[0][b]) - Level.decibels(scene.rows[0][b]))
        }
        #expect(apart(try separated(scene, .player, controls)) > 12)
        // A camera that looks to the left keeps the other talker.
        controls.cameraHeading = .pi / 2
        #expect(apart(try separated(scene, .player, controls)) < -12)
    }

    @Test(arguments: [AudioMixStyle.cinematic, .studio])
    func theLoudnessStaysWhereItIs(_ style: AudioMixStyle) throws {
        let voice = FieldScene.voice(frames: Self.frames, seed: 71)
        var scene = FieldScene(frames: Self.frames)
        scene.add(voice) { _ in 10 }
        scene.addDiffuse(level: 0.03, seed: 72)
        func level(_ controls: AudioMixControls) throws -> Double {
            let mixed = try separated(scene, .player, controls)
            return Level.loudness(mixed.mix.map { Level.weighted($0)[Self.settled] })
        }
        let whole = try level(AudioMixControls(style: style, intensity: 0))
        for intensity: Float in [0.5, 1] {
            let mixed = try level(AudioMixControls(style: style, intensity: intensity))
            #expect(abs(mixed - whole) < 0.5)
        }
    }
}
