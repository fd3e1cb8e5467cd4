import AudioIO
import AudioMix
import FieldScenes
import Foundation
import Loading
import MotionLogs
import Offline
import SeededRandom
import Signal
import SoundFixtures
import Soundstage
import Stages
import Testing

/// The Audio Mix of files: `process`, `bake` and `render`.
@Suite struct RemixTests {
    /// Four seconds of two talkers in noise, at 30° and at -90°.
    private func writeTalkers(_ path: String) throws -> [[Float]] {
        let frames = 192_000
        var scene = FieldScene(frames: frames)
        scene.add(FieldScene.voice(frames: frames, seed: 11)) { _ in 30 }
        scene.add(FieldScene.voice(frames: frames, seed: 13, pitch: 190)) { _ in -90 }
        scene.addDiffuse(level: 0.005, seed: 12)
        let block = PlanarBlock(channels: 4, frames: frames)
        for channel in 0..<4 { for i in 0..<frames { block[channel][i] = scene.rows[channel][i] } }
        let writer = try SoundFileWriter(path: path, channels: 4, sampleRate: .studio)
        try writer.write(block, frames: frames)
        try writer.finish()
        return try WholeSound.read(path)
    }

    private func power(_ rows: [[Float]]) -> Float { rows.reduce(0) { $0 + $1.reduce(0) { $0 + $1 * $1 } } }

    /// Returns the largest difference between corresponding samples.
    private func difference(_ a: [[Float]], _ b: [[Float]]) -> Float {
        zip(a, b).reduce(0) { zip($1.0, $1.1).reduce($0) { max($0, abs($1.0 - $1.1)) } }
    }

    /// Seconds of noise in the four channels of a field, or in as many as are asked for.
    private func write(_ path: String, channels: Int = 4, frames: Int = 48_000) throws -> [[Float]] {
        var random = SplitMix(state: 7)
        let block = PlanarBlock(channels: channels, frames: frames)
        for i in 0..<frames {
            for channel in 0..<channels { block[channel][i] = Float.random(in: -0.3...0.3, using: &random) }
        }
        let writer = try SoundFileWriter(path: path, channels: channels, sampleRate: .studio)
        try writer.write(block, frames: frames)
        try writer.finish()
        return try WholeSound.read(path)
    }

    private func stage(
        _ style: String, intensity: String = "1", _ convention: AmbisonicFormat.Convention = .sn3d,
        layout: String? = "ambi1", latency: AudioMixLatency = .player
    ) throws -> StageSettings {
        var stage = StageSettings(layout: layout, ambisonics: convention, hrtf: "generated")
        stage.programmes.mix = latency
        stage.take([try ParameterChange("mix", [style]), try ParameterChange("mix-intensity", [intensity])])
        return stage
    }

    private func process(
        _ stage: StageSettings, _ folder: Scratch, target: String = "ambi1", stems: String? = nil
    ) throws -> ProcessReport {
        try OfflineSession.process(
            ProcessSettings(
                stage: stage, input: folder("in.wav"), output: folder("out.wav"), target: target,
                written: .replacing, stems: stems),
            progress: { _ in true })
    }

    @Test(arguments: [("standard", "1"), ("cinematic", "0"), ("studio", "0"), ("in-frame", "0")])
    func atIntensity0AndAsRecordedTheFileComesBackBitForBit(_ style: String, _ intensity: String) throws {
        let folder = try Scratch()
        let sound = try write(folder("in.wav"))
        let report = try process(try stage(style, intensity: intensity), folder)
        #expect(try WholeSound.read(folder("out.wav")) == sound)
        #expect(report.frames == 48_000 && report.mix?.contains(style) == true)
    }

    @Test func aSilentOmniChannelIsTold() throws {
        let folder = try Scratch()
        let sound = try write(folder("in.wav"))
        let told = "is silent, and the Audio Mix finds voices by it"
        #expect(!(try process(try stage("studio"), folder)).lines.contains { $0.contains(told) })
        let block = PlanarBlock(channels: 4, frames: 48_000)
        for channel in 1..<4 { for i in 0..<48_000 { block[channel][i] = sound[channel][i] } }
        let writer = try SoundFileWriter(path: folder("mute.wav"), channels: 4, sampleRate: .studio)
        try writer.write(block, frames: 48_000)
        try writer.finish()
        let report = try OfflineSession.process(
            ProcessSettings(
                stage: try stage("studio"), input: folder("mute.wav"), output: folder("out.wav"), target: "ambi1",
                written: .replacing, stems: nil),
            progress: { _ in true })
        #expect(report.lines.contains { $0.contains(told) })
    }

    @Test(arguments: AudioMixLatency.allCases) func stemsSumToTheFile(_ latency: AudioMixLatency) throws {
        let folder = try Scratch()
        let sound = try writeTalkers(folder("in.wav"))
        _ = try process(try stage("cinematic", latency: latency), folder, stems: folder("stems"))
        let speech = try WholeSound.read(folder("stems/speech.wav"))
        let ambience = try WholeSound.read(folder("stems/ambience.wav"))
        for channel in 0..<4 {
            #expect(speech[channel].count == 192_000)
            let worst = sound[channel].indices.reduce(Float(0)) {
                max($0, abs(speech[channel][$1] + ambience[channel][$1] - sound[channel][$1]))
            }
            #expect(worst <= 6e-8)
        }
        // Neither stem is empty, so the sum is no trivial case.
        #expect(power(speech) > 0.1 * power(sound) && power(ambience) > 0.001 * power(sound))
    }

    @Test func fieldsOfOtherConventionsAreMixedAsTheyAre() throws {
        let folder = try Scratch()
        let sound = try writeTalkers(folder("in.wav"))
        _ = try process(try stage("studio", .fuma), folder, stems: folder("stems"))
        let (speech, ambience) = (
            try WholeSound.read(folder("stems/speech.wav")), try WholeSound.read(folder("stems/ambience.wav"))
        )
        for channel in 0..<4 {
            for i in stride(from: 0, to: 192_000, by: 97) {
                #expect(abs(speech[channel][i] + ambience[channel][i] - sound[channel][i]) <= 2e-7)
            }
        }
    }

    @Test func aMixIsBakedWithItsStereo() throws {
        let folder = try Scratch()
        let sound = try write(folder("in.wav"))
        let report = try OfflineSession.bake(
            BakeSettings(
                stage: try stage("standard"), input: folder("in.wav"), output: folder("out.wav"),
                stems: folder("stems")), progress: { _ in true })
        #expect(try WholeSound.read(folder("out.wav")) == sound)
        #expect(report.mix?.contains("standard") == true && report.stereo != nil)
        #expect(FileManager.default.fileExists(atPath: folder("stems/ambience.wav")))
    }

    @Test func aRenderLeavesTheSameStemsAsProcess() throws {
        let folder = try Scratch()
        let sound = try writeTalkers(folder("in.wav"))
        _ = try process(try stage("studio"), folder, stems: folder("stems"))
        let report = try OfflineSession.render(
            RenderSettings(
                stage: try stage("studio"), input: folder("in.wav"), output: folder("ears.wav"), stems: folder("others")
            ),
            progress: { _ in true })
        for name in ["speech.wav", "ambience.wav"] {
            let (one, other) = (
                try WholeSound.read(folder("stems/" + name)), try WholeSound.read(folder("others/" + name))
            )
            #expect(difference(one, other) == 0)
        }
        #expect(report.frames > sound[0].count)
        let plain = StageSettings(layout: "ambi1", hrtf: "generated")
        #expect(throws: SessionError.self) {
            _ = try OfflineSession.render(
                RenderSettings(
                    stage: plain, input: folder("in.wav"), output: folder("none.wav"), stems: folder("no stems")),
                progress: { _ in true })
        }
        #expect(!FileManager.default.fileExists(atPath: folder("none.wav")))
    }

    /// If the output has a finer resolution than the field, so has a voice: the centre loudspeaker plays a voice in the
    /// middle, and a field of higher order contains it in its higher channels.
    @Test func voicesArePlacedAsFinelyAsTheOutputAllows() throws {
        let folder = try Scratch()
        let sound = try writeTalkers(folder("in.wav"))
        func processed(_ intensity: String, _ target: String) throws -> [[Float]] {
            _ = try process(try stage("cinematic", intensity: intensity), folder, target: target)
            return try WholeSound.read(folder("out.wav")).map { Array($0[96_000...]) }
        }
        let plain = StageSettings(layout: "ambi1", ambisonics: .sn3d, hrtf: "generated")
        for target in ["5.1", "ambi3"] {
            _ = try process(plain, folder, target: target)
            let expected = try WholeSound.read(folder("out.wav")).map { Array($0[96_000...]) }
            #expect(difference(try processed("0", target), expected) == 0)
        }
        let speakers = try processed("1", "5.1")
        let centre = power([speakers[2]]) / power(speakers)
        #expect(centre > 0.7, "the centre has \(centre)")
        let field = try processed("1", "ambi3")
        #expect(field.count == 16)
        // A wave from the front: Y(2, 2) is √3/2, Y(3, 0) is nothing.
        #expect(abs(power([field[8]]) / power([field[0]]) - 0.75) < 0.2)
        #expect(power([field[12]]) < 0.01 * power([field[0]]) && power(sound) > 0)
    }

    /// On the binaural stage voices are placed more finely than in their field. Without a style the output does not
    /// change.
    @Test func voicesAreFinerOnTheStageOnlyWhereAStyleHasPlacedThem() throws {
        let folder = try Scratch()
        _ = try writeTalkers(folder("in.wav"))
        func ears(_ stage: StageSettings, of input: String = "in.wav") throws -> [[Float]] {
            _ = try OfflineSession.render(
                RenderSettings(stage: stage, input: folder(input), output: folder("ears.wav"), written: .replacing),
                progress: { _ in true })
            return try WholeSound.read(folder("ears.wav"))
        }
        let untouched = try ears(try stage("standard"))
        for style in ["cinematic", "studio"] {
            #expect(difference(try ears(try stage(style, intensity: "0")), untouched) == 0)
        }
        // The same mix heard as a field of its own order.
        _ = try process(try stage("studio"), folder)
        let coarse = try ears(StageSettings(layout: "ambi1", hrtf: "generated"), of: "out.wav")
        let fine = try ears(try stage("studio"))
        let length = min(coarse[0].count, fine[0].count)
        let rest = zip(coarse, fine).map { a, b in zip(a[..<length], b[..<length]).map { $0 - $1 } }
        let share = 10 * log10(power(rest) / power(fine))
        #expect(share > -25 && share < 0, "\(share) dB")
    }

    /// A camera file with one heading gives the same mix as the option with this heading. A camera that turns gives
    /// another mix.
    @Test func aCameraIsFollowedFromAFile() throws {
        let folder = try Scratch()
        _ = try writeTalkers(folder("in.wav"))
        func mixed(_ heading: String, _ text: String? = nil) throws -> [[Float]] {
            var stage = try stage("in-frame")
            stage.take([try ParameterChange("camera-heading", [heading])])
            if let text {
                try text.write(toFile: folder("camera.csv"), atomically: true, encoding: .utf8)
                stage.programmes.camera = try CameraPath(contentsOf: folder("camera.csv"))
            }
            let report = try process(stage, folder)
            #expect(report.mix?.contains("the camera along") == (text != nil))
            return try WholeSound.read(folder("out.wav"))
        }
        let (ahead, right) = (try mixed("30"), try mixed("-90"))
        #expect(difference(try mixed("0", "seconds,degrees\n0,30\n"), ahead) < 1e-4)
        // The heading of the options is added.
        #expect(difference(try mixed("-100", "0,10,60\n4,10,60\n"), right) < 1e-4)
        let turned = try mixed("0", "0,30\n2,30\n2.05,-90\n")
        #expect(difference(turned, ahead) > 0.01 && difference(turned, right) > 0.01)
    }

    /// The latency of the mix is removed, and the poses stay in time with the sound.
    @Test func aRenderWithAMixIsInTimeWithItsPoses() throws {
        let folder = try Scratch()
        _ = try write(folder("in.wav"))
        let poses = (0...20).map { step in
            let half = Double(step) / 40
            return "\(Double(step) / 20),\(cos(half)),0,0,\(sin(half))"
        }
        try (["t,w,x,y,z"] + poses).joined(separator: "\n").write(
            toFile: folder("poses.csv"), atomically: true, encoding: .utf8)
        func render(_ stage: StageSettings) throws -> [[Float]] {
            _ = try OfflineSession.render(
                RenderSettings(
                    stage: stage, input: folder("in.wav"), output: folder("ears.wav"), written: .replacing,
                    poses: folder("poses.csv")),
                progress: { _ in true })
            return try WholeSound.read(folder("ears.wav"))
        }
        let plain = try render(StageSettings(layout: "ambi1", hrtf: "generated"))
        let mixed = try render(try stage("standard"))
        for ear in 0..<2 {
            #expect(plain[ear].count == mixed[ear].count)
            var (difference, power) = (0.0, 0.0)
            for (a, b) in zip(plain[ear], mixed[ear]) {
                difference += Double((a - b) * (a - b))
                power += Double(a * a)
            }
            #expect(10 * log10(difference / power) < -50)
        }
    }

    @Test(arguments: [(6, "5.1"), (2, "stereo")]) func loudspeakersAreNoSoundField(_ channels: Int, _ layout: String)
        throws
    {
        let folder = try Scratch()
        _ = try write(folder("in.wav"), channels: channels, frames: 4800)
        let error = #expect(throws: SessionError.self) {
            _ = try process(try stage("studio", layout: layout), folder, target: "stereo")
        }
        #expect("\(error.map(String.init(describing:)) ?? "")".contains("made of a sound field"))
        #expect(folder.contents == ["in.wav"])
    }

    @Test func stemsWithoutAMixAndInAFileAreRefused() throws {
        let folder = try Scratch()
        _ = try write(folder("in.wav"), frames: 4800)
        var plain = StageSettings(layout: "ambi1")
        plain.programmes.mix = nil
        #expect(throws: SessionError.self) { _ = try process(plain, folder, stems: folder("stems")) }
        let error = #expect(throws: SessionError.self) {
            _ = try process(try stage("studio"), folder, stems: folder("in.wav"))
        }
        #expect("\(error.map(String.init(describing:)) ?? "")".contains("in.wav"))
        #expect(folder.contents == ["in.wav"])
    }
}
