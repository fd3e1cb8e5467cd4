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

    @Test(arguments: [Float(0), 1e-5, 1e-3], AudioMixLatency.allCases)
    func aVoiceIsKnownAloneAsWellAsAmongNoise(_ noise: Float, _ latency: AudioMixLatency) throws {
        for (seed, pitch) in [(11, 120.0), (13, 190), (17, 95)] as [(UInt64, Double)] {
            let voice = FieldScene.voice(frames: Self.frames, seed: seed, pitch: pitch)
            let level = try taken(voice, noise: noise, latency)
            #expect(level > -1, "pitch \(pitch): \(level) dB")
        }
    }

    /// Notes of one instrument, two a second.
    private static let melody: [Float] = (0..<frames).map { i in
        let steps: [Double] = [0, 4, 7, 5, 9, 2, 12, 7]
        let (t, hertz) = (Double(i % 24_000) / 48_000, 220 * pow(2, steps[i / 24_000] / 12))
        return Float(
            (1...12).reduce(0.0) { $0 + sin(2 * .pi * hertz * Double($1) * t) / Double($1) } * exp(-4 * t) * 0.1)
    }

    @Test(arguments: AudioMixLatency.allCases) func aMelodyIsNoSpeech(_ latency: AudioMixLatency) throws {
        #expect(try taken(Self.melody, noise: 1e-4, latency) < -15)
    }
}
