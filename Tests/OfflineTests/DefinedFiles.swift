import ADMFixtures
import Foundation
import Loading
import Offline
import SoundFixtures
import Stages
import Testing

/// Tests of files that have an audio definition model: how these are written, played and refused.
protocol DefinedFiles {}

extension DefinedFiles {
    typealias Row = ModelFile.Row

    /// 7.1.4 by BS.2094, in WAVE order.
    static var formats: [String] {
        [1, 2, 3, 4, 0x1C, 0x1D, 0xA, 0xB, 0x22, 0x23, 0x1E, 0x1F].map { "AT_\(ModelFile.hex(0x10000 + $0))_01" }
    }
    static var pack: String { "AP_00010017" }

    func noise(_ channel: Int, frames: Int = 24_000) -> [Float] {
        WhiteNoise.samples(frames, seed: UInt64(channel + 1))
    }

    func write(_ file: ModelFile, _ path: String) throws {
        try Data(file.bytes).write(to: URL(fileURLWithPath: path))
    }

    func process(
        _ folder: Scratch, _ input: String = "film.wav", to target: String = "stereo",
        _ stage: StageSettings = StageSettings(), upmix: UpmixChoices = UpmixChoices()
    ) throws(SessionError) -> ProcessReport {
        try OfflineSession.process(
            ProcessSettings(
                stage: stage, input: folder(input), output: folder("out.wav"), target: target,
                written: .replacing, upmix: upmix),
            progress: { _ in true })
    }

    func process(_ folder: Scratch, _ stage: StageSettings) throws(SessionError) -> ProcessReport {
        try process(folder, "film.wav", to: "stereo", stage)
    }

    /// Returns the reason why a file is refused, without the file's path.
    func refusal(_ file: ModelFile) throws -> String {
        let folder = try Scratch()
        try write(file, folder("film.wav"))
        do throws(SessionError) {
            let report = try process(folder)
            return "taken for \(report.from)"
        } catch {
            #expect(error.fault == .input && error.description.hasPrefix(folder("film.wav") + " "))
            #expect(folder.contents == ["film.wav"])
            return error.description.replacing(folder("film.wav"), with: "film.wav")
        }
    }

    static var naming: String { ", or name the layout yourself with --layout to play its tracks as loudspeakers" }
    static var renderFirst: String {
        "render it with an ADM renderer (for example EBU's ear-render) to a loudspeaker layout first"
    }
}
