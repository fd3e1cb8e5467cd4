import FieldScenes
import Geometry
import Signal
import Testing

@testable import AudioMix

/// Tests of voices rendered at an order of their own, beside the mix that contains them.
@Suite struct PlacedVoicesTests {
    private static let scene: FieldScene = {
        var scene = FieldScene(frames: 192_000)
        scene.add(FieldScene.voice(frames: 192_000, seed: 11)) { _ in 40 }
        scene.addDiffuse(level: 0.005, seed: 12)
        return scene
    }()

    /// Returns the mix of the scene and its placed voices at order 3, in calls of 480 frames.
    private func heard(
        _ style: AudioMixStyle, _ intensity: Float, placed: Int? = 3
    ) throws -> (mix: [[Float]], placed: [[Float]]) {
        let controls = AudioMixControls(style: style, intensity: intensity)
        var mixer = try AudioMixer(
            sampleRate: .studio, channels: 4, latency: .live, controls: controls, placed: placed)
        #expect(mixer.placedCount == (placed == nil ? 0 : 16))
        let rows = UnsafeRows(24, 480)
        var (mix, voices) = ([[Float]](repeating: [], count: 4), [[Float]](repeating: [], count: mixer.placedCount))
        for block in 0..<400 {
            for c in 0..<4 { for i in 0..<480 { rows[c][i] = Self.scene.rows[c][block * 480 + i] } }
            mixer.process(frames: 480, rows.inputs, into: .init(mix: rows.outputs(4), placed: rows.outputs(8)))
            for c in 0..<4 { mix[c] += (0..<480).map { rows[4 + c][$0] } }
            for c in voices.indices { voices[c] += (0..<480).map { rows[8 + c][$0] } }
        }
        return (mix, voices)
    }

    @Test(arguments: [(AudioMixStyle.cinematic, 0.0), (.studio, 40)]) func voicesStandWhereTheStylePutsThem(
        _ style: AudioMixStyle, _ azimuth: Double
    ) throws {
        let (mix, voices) = try heard(style, 1)
        #expect(mix == (try heard(style, 1, placed: nil)).mix)
        let part = 96_000..<192_000
        #expect(Level.decibels(voices[0][part]) > Level.decibels(Self.scene.rows[0][part]) - 6)
        let direction = Direction<Stage>(azimuthDegrees: azimuth, elevationDegrees: 0)
        let harmonics = SphericalHarmonics.values(order: 3, direction)
        let own = part.reduce(0.0) { $0 + Double(voices[0][$1]) * Double(voices[0][$1]) }
        for channel in 0..<16 {
            let gain = part.reduce(0.0) { $0 + Double(voices[channel][$1]) * Double(voices[0][$1]) } / own
            #expect(abs(gain - harmonics[channel]) < 0.15, "channel \(channel): \(gain) of \(harmonics[channel])")
        }
        // The mix contains the voices: without them only the ambience is left, at a far lower level.
        let rest = part.map { mix[0][$0] - voices[0][$0] }
        #expect(Level.decibels(rest[...]) < Level.decibels(mix[0][part]) - 8)
    }

    @Test(arguments: [(AudioMixStyle.standard, Float(1)), (.cinematic, 0)]) func nothingIsPlacedWhereNothingIsMixed(
        _ style: AudioMixStyle, _ intensity: Float
    ) throws {
        let isSilent = try heard(style, intensity).placed.allSatisfy { $0.allSatisfy { $0.bitPattern == 0 } }
        #expect(isSilent)
    }
}
