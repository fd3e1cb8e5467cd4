import FieldScenes
import Foundation
import Signal
import Testing

@testable import AudioMix

/// Tests of a voice with little or no ambience, and of other sounds from a single direction.
@Suite struct VoiceAloneTests {
    private static let frames = 192_000

    /// Power of the stem of speech over the scene's in W, dB, from the second second on.
    private func taken(_ row: [Float], noise: Float, _ latency: AudioMixLatency) throws -> Double {
        var scene = FieldScene(frames: Self.frames)
        scene.add(row) { _ in 60 }
        if noise > 0 { scene.addDiffuse(level: noise, seed: 12) }
        var mixer = try AudioMixer(sampleRate: .studio, channels: 4, latency: latency)
        let found = scene.mixed(&mixer), part = 48_000..<Self.frames
        return Level.decibels(found.speech[0][part]) - Level.decibels(scene.rows[0][part])
    }

    /// The deep synthetic voice has little motion in its first seconds; recorded speech has more (measurements).
    @Test(arguments: [Float(0), 1e-5, 1e-3], AudioMixLatency.allCases)
    func aVoiceIsKnownAloneAsWellAsAmongNoise(_ noise: Float, _ latency: AudioMixLatency) throws {
        for (seed, pitch) in [(11, 120.0), (13, 190), (17, 95)] as [(UInt64, Double)] {
            let voice = FieldScene.voice(frames: Self.frames, seed: seed, pitch: pitch)
            let level = try taken(voice, noise: noise, latency)
            #expect(level > (pitch < 100 ? -7 : -1), "pitch \(pitch): \(level) dB")
        }
    }

    /// Struck tones on the major scale of 220 Hz, a chord every `beat` seconds. Amplitudes fall by e^−`falling` in a
    /// second, upper partials faster.
    private static func struck(_ chords: [[Int]], every beat: Double, falling: Double) -> [Float] {
        var row = [Float](repeating: 0, count: frames)
        let scale: [Double] = [0, 2, 4, 5, 7, 9, 11, 12]
        for (number, at) in stride(from: 0.0, to: 3.9, by: beat).enumerated() {
            for step in chords[number % chords.count] {
                let octave = Double((step + 8) / 8 - 1), hertz = 220 * pow(2, octave + scale[(step + 8) % 8] / 12)
                let first = Int(at * 48_000)
                for i in first..<min(frames, first + 48_000) {
                    let t = Double(i - first) / 48_000
                    var value = 0.0
                    for k in 1...10 {
                        value +=
                            sin(2 * .pi * hertz * Double(k) * t) / Double(k) * exp(-t * (1 + 0.3 * Double(k)) * falling)
                    }
                    row[i] += Float(0.05 * min(1, t / 0.004) * value)
                }
            }
        }
        return row
    }

    /// In an earlier version lines and chords of struck notes counted as speech: their level fluctuates, and a line of
    /// notes is periodic part of the time.
    @Test(
        arguments: [
            ("a line", [[0], [3], [6], [1], [4], [7]]), ("two voices", [[0, -6], [3, -1], [6, -4], [1, -8]]),
            ("triads", [[0, 2, 4], [1, 3, 5], [2, 4, 6], [3, 5, 7]]),
            ("five notes", [[-8, 0, 2, 4, -5], [-7, 1, 3, 5, -2], [-6, 2, 4, 6, -8]]),
        ] as [(String, [[Int]])], AudioMixLatency.allCases)
    func struckNotesAreNoSpeech(_ music: (name: String, chords: [[Int]]), _ latency: AudioMixLatency) throws {
        for (beat, falling) in [(0.25, 1.7), (0.5, 1.7), (0.5, 4)] {
            let level = try taken(Self.struck(music.chords, every: beat, falling: falling), noise: 1e-4, latency)
            #expect(level < -15, "\(music.name) every \(beat) s: \(level) dB")
        }
    }

    /// Barks: one spectrum with a gliding pitch, again and again.
    @Test(arguments: AudioMixLatency.allCases) func barksAreNoSpeech(_ latency: AudioMixLatency) throws {
        var row = [Float](repeating: 0, count: Self.frames), phase = 0.0
        for i in row.indices {
            let t = Double(i) / 48_000, at = t.truncatingRemainder(dividingBy: 0.48) / 0.18
            guard at < 1 else { continue }
            phase += 2 * .pi * (430 + 20 * sin(9 * t)) * (1 + 0.35 * sin(.pi * at)) / 48_000
            row[i] = Float(
                0.05 * pow(sin(.pi * at), 0.6)
                    * (1...8).reduce(0.0) { $0 + sin(Double($1) * phase) / pow(Double($1), 0.7) })
        }
        let level = try taken(row, noise: 1e-4, latency)
        #expect(level < (latency == .player ? -15 : -9), "\(level) dB")
    }
}
