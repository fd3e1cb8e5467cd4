import AudioIO
import AudioMix
import Foundation
import Loading
import Offline
import Signal
import SoundFixtures
import Stages
import Takes
import Testing

/// Files before and after an offline command.
@Suite struct FormerFilesTests {
    /// A second of a sound field, `field.wav`.
    private func furnished() throws -> Scratch {
        let folder = try Scratch()
        let block = PlanarBlock(channels: 4, frames: 48_000)
        for channel in 0..<4 { for i in 0..<48_000 { block[channel][i] = 0.1 * Float((i * 7919) % 199 - 99) / 99 } }
        let writer = try SoundFileWriter(path: folder("field.wav"), channels: 4, sampleRate: .studio, fieldOrder: 1)
        try writer.write(block, frames: 48_000)
        try writer.finish()
        return folder
    }

    private func lay(_ names: [String], in folder: Scratch) throws {
        try FileManager.default.createDirectory(atPath: folder("stems"), withIntermediateDirectories: true)
        for name in names { try Data(name.utf8).write(to: URL(fileURLWithPath: folder(name))) }
    }

    private func areFormer(_ names: [String], in folder: Scratch) throws -> Bool {
        try names.allSatisfy { try Data(contentsOf: URL(fileURLWithPath: folder($0))) == Data($0.utf8) }
    }

    private func bake(
        in folder: Scratch, _ decide: @escaping ReplacementDecision, progress: (Double) -> Bool
    ) throws(SessionError) {
        var stage = StageSettings()
        stage.programmes.mix = .player
        _ = try OfflineSession.bake(
            BakeSettings(
                stage: stage, input: folder("field.wav"), output: folder("out.wav"),
                written: OutputChoice(decide: decide), stems: folder("stems")), progress: progress)
    }

    private static let baked = [
        "out.wav", "out.wav.json", "out.stereo.wav", "out.stereo.wav.json", "stems/speech.wav", "stems/ambience.wav",
    ]

    /// In an earlier version the stems appeared before the other files were made, and the first of two files was
    /// replaced before the second was complete.
    @Test func `A bake that is given up leaves every file as it was`() throws {
        let folder = try furnished()
        try lay(Self.baked, in: folder)
        let before = folder.contents
        #expect(throws: SessionError.self) {
            try bake(in: folder, { (_) throws(SessionError) in .anything }, progress: { $0 < 0.9 })
        }
        #expect(try areFormer(Self.baked, in: folder) && folder.contents == before)
        try bake(in: folder, { (_) throws(SessionError) in .anything }, progress: { _ in true })
        for name in Self.baked { #expect(try !areFormer([name], in: folder), "\(name)") }
    }

    @Test func `All outputs are decided on at once, before any work`() throws {
        for name in Self.baked {
            let folder = try furnished()
            try lay([name], in: folder)
            var isWorking = false
            let error = #expect(throws: SessionError.self) {
                try bake(in: folder, OutputChoice.nothing) { _ in
                    isWorking = true
                    return true
                }
            }
            #expect(error?.description.contains(name) == true && !isWorking, "\(name): \(error?.description ?? "")")
            #expect(try areFormer([name], in: folder))
        }
    }

    @Test func `A file that comes up while the work is done is not lost, and nothing else is written`() throws {
        let folder = try furnished()
        let late = "stems/ambience.wav"
        #expect(throws: SessionError.self) {
            try bake(in: folder, OutputChoice.nothing) { share in
                if share > 0.7, !FileManager.default.fileExists(atPath: folder(late)) { try? lay([late], in: folder) }
                return true
            }
        }
        #expect(try areFormer([late], in: folder))
        #expect(folder.contents.filter { $0 != "stems" } == ["field.wav"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder("stems")) == ["ambience.wav"])
    }

    @Test func `A safety track plays as the sound field that it says it is`() throws {
        let folder = try furnished()
        let block = PlanarBlock(channels: 6, frames: 4800)
        let writer = try SoundFileWriter(
            path: folder("safety.wav"), channels: 6, sampleRate: .studio, encoding: .pcm24, fieldOrder: 1, asTake: true)
        try writer.write(block, frames: 4800)
        try writer.finish()
        let report = try OfflineSession.process(
            ProcessSettings(
                stage: StageSettings(), input: folder("safety.wav"), output: folder("out.wav"), target: "stereo"),
            progress: { _ in true })
        #expect(report.from == "ambi1 (sn3d)" && report.remarks.contains { $0.contains("tracks 5 and 6") })
    }
}
