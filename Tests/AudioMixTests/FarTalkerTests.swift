import FieldScenes
import Foundation
import SeededRandom
import Signal
import Testing

@testable import AudioMix

/// Tests of a talker farther away than the room's critical distance: its reverberation has more power than its direct
/// sound and comes from all sides. Documentation/measurements/audio-mix.md has the figures for rooms and speech.
@Suite struct FarTalkerTests {
    private static let frames = 384_000

    /// Adds the reverberation of a sound: `waves` directions, each with 30 echoes at random times, whose power falls by
    /// 60 dB in `seconds`. Its power is `level` dB above that of the sound.
    private func reverberate(
        _ sound: [Float], level: Double, seconds: Double, seed: UInt64, waves: Int = 12, into scene: inout FieldScene
    ) {
        var random = SplitMix(state: seed)
        let gain = pow(10, level / 20) / Double(waves).squareRoot()
        for wave in 0..<waves {
            var tail = [Float](repeating: 0, count: sound.count)
            let echoes = (0..<30).map { _ in
                let time = 0.004 + 0.6 * seconds * random.unit()
                return (Int(48_000 * time), pow(10, -3 * time / seconds) * (random.unit() < 0.5 ? -1 : 1))
            }
            let power = echoes.reduce(0) { $0 + $1.1 * $1.1 }.squareRoot()
            sound.withUnsafeBufferPointer { sound in
                tail.withUnsafeMutableBufferPointer { tail in
                    for (delay, amplitude) in echoes {
                        let share = Float(gain * amplitude / power)
                        for i in delay..<sound.count { tail[i] += share * sound[i - delay] }
                    }
                }
            }
            let z = 1 - (2 * Double(wave) + 1) / Double(waves), azimuth = 360 * Double(wave) * 0.618_034 + 40
            scene.add(tail, elevation: asin(z) * 180 / .pi) { _ in azimuth }
        }
    }

    /// Adds babble: 24 voices at once from all directions; `level` is the RMS of W.
    private func babble(level: Float, seed: UInt64, into scene: inout FieldScene) {
        let voices = (0..<4).map {
            FieldScene.voice(frames: Self.frames, seed: seed + UInt64($0), pitch: 100 + 35 * Double($0))
        }
        var field = FieldScene(frames: Self.frames)
        for wave in 0..<24 {
            let voice = voices[wave % 4], shift = wave * 15_000 + 4000
            let z = 1 - (2 * Double(wave) + 1) / 24, azimuth = 360 * Double(wave) * 0.618_034
            field.add(Array(voice[shift...] + voice[..<shift]), elevation: asin(z) * 180 / .pi) { _ in azimuth }
        }
        let gain = level / Float(pow(10, Level.decibels(field.rows[0][...]) / 20))
        for channel in 0..<4 { for i in 0..<Self.frames { scene.rows[channel][i] += gain * field.rows[channel][i] } }
    }

    /// In an earlier version, directions of the reverberation and of single voices of the babble stood out as much as
    /// the talker's: the stem closed, or contained another direction.
    @Test(arguments: [(seed: UInt64(81), pitch: 120.0, azimuth: 130.0), (83, 190, -75), (85, 150, 40)])
    func aTalkerBeyondTheCriticalDistanceIsHeard(_ talker: (seed: UInt64, pitch: Double, azimuth: Double)) throws {
        let voice = FieldScene.voice(frames: Self.frames, seed: talker.seed, pitch: talker.pitch)
        var scene = FieldScene(frames: Self.frames)
        scene.add(voice) { _ in talker.azimuth }
        reverberate(voice, level: 4, seconds: 0.7, seed: talker.seed + 1, into: &scene)
        babble(level: Float(pow(10, Level.decibels(scene.rows[0][...]) / 20)), seed: talker.seed + 2, into: &scene)
        var mixer = try AudioMixer(sampleRate: .studio, channels: 4, latency: .player)
        let mixed = scene.mixed(&mixer), part = 192_000..<374_000
        let gain =
            Level.distortion(mixed.speech[0][part], of: voice[part])
            - Level.distortion(scene.rows[0][part], of: voice[part])
        #expect(gain > 4.5, "\(gain) dB")
        var cross = 0.0, own = 0.0
        for i in part {
            cross += Double(mixed.speech[0][i]) * Double(voice[i])
            own += Double(voice[i]) * Double(voice[i])
        }
        let kept = 20 * log10(max(1e-9, cross / own))
        #expect(kept > -3, "\(kept) dB of the direct sound")
    }
}
