import AudioIO
import AudioMix
import FieldScenes
import Foundation
import Offline
import Signal
import SoundFixtures
import Stages
import Testing

/// Voices of an Audio Mix in a room, and at a distance.
@Suite struct VoiceRoomTests {
    /// Two and a half seconds of talk at 30°; only the room sounds after them.
    private func write(_ path: String) throws {
        let frames = 192_000
        var scene = FieldScene(frames: frames)
        var voice = FieldScene.voice(frames: frames, seed: 11)
        for i in 120_000..<frames { voice[i] = 0 }
        scene.add(voice) { _ in 30 }
        let block = PlanarBlock(channels: 4, frames: frames)
        for channel in 0..<4 { for i in 0..<frames { block[channel][i] = scene.rows[channel][i] } }
        let writer = try SoundFileWriter(path: path, channels: 4, sampleRate: .studio)
        try writer.write(block, frames: frames)
        try writer.finish()
    }

    private func settings(_ changes: [(String, String)], mix: AudioMixLatency? = .live) throws -> StageSettings {
        var stage = StageSettings(layout: "ambi1", hrtf: "generated")
        stage.programmes.mix = mix
        stage.take(try changes.map { try ParameterChange($0.0, [$0.1]) })
        return stage
    }

    private func render(_ changes: [(String, String)], room: String, mix: AudioMixLatency? = .live) throws -> [[Float]]
    {
        let folder = try Scratch()
        try write(folder("in.wav"))
        var stage = try settings(changes, mix: mix)
        stage.room.name = room
        _ = try OfflineSession.render(
            RenderSettings(stage: stage, input: folder("in.wav"), output: folder("out.wav")), progress: { _ in true })
        return try WholeSound.read(folder("out.wav"))
    }

    /// Returns the level of the room after the last word relative to the words, dB.
    private func decay(_ ears: [[Float]]) -> Float {
        func level(_ range: Range<Int>) -> Float {
            let power = range.reduce(Float(1e-15)) { $0 + ears[0][$1] * ears[0][$1] + ears[1][$1] * ears[1][$1] }
            return 10 * log10(power / Float(range.count))
        }
        return level(123_000..<128_000) - level(72_000..<120_000)
    }

    @Test func voicesHaveTheRoomAndTheMoreOfItTheFartherTheyStand() throws {
        let styled = [("mix", "studio")]
        let dry = decay(try render(styled, room: "none"))
        let far = decay(try render(styled + [("voice-distance", "4")], room: "hall"))
        let near = decay(try render(styled + [("voice-distance", "1")], room: "hall"))
        let own = decay(try render(styled, room: "hall"))
        #expect(dry < -60)
        #expect(own > -30)
        // Between 1 and 4 m the ratio of direct to reverberant sound changes by 12 dB. The measured change is less,
        // because the total level is kept.
        #expect(far - near > 8)
        #expect(own - far > 0.5)
    }

    @Test func atIntensity0TheRoomIsSilent() throws {
        let styled = [("mix", "studio"), ("mix-intensity", "0")]
        let (hall, dry) = (try render(styled, room: "hall"), try render(styled, room: "none"))
        // The output is longer by the decay of the room.
        #expect((0..<2).allSatisfy { hall[$0].starts(with: dry[$0].dropLast(8192)) && hall[$0].count > dry[$0].count })
    }

    @Test(arguments: [
        ("hall", [], false, "or --mix"),
        ("none", [("voice-distance", "1")], false, "add --mix"),
        ("hall", [("voice-distance", "1"), ("room-tail", "shared")], true, "--room-tail each"),
        ("/rooms/there/is/none.sofa", [], true, "a measured room"),
    ]) func whatCannotBeIsSaid(_ room: String, _ changes: [(String, String)], _ isMixed: Bool, _ words: String) throws {
        #expect {
            try render(changes, room: room, mix: isMixed ? .live : nil)
        } throws: { error in
            "\(error)".contains(words)
        }
    }
}
