import Foundation
import Loading
import Offline
import Soundstage
import Stages
import Testing

/// `render` with sound fields: files that fit, and the errors for files that do not.
@Suite struct SoundFieldTests {
    private static let folder = FileManager.default.temporaryDirectory

    /// A short 32-bit float WAV whose first channel holds an impulse.
    private static func write(channels: Int) throws -> String {
        let frames = 480
        var bytes = Data("RIFF".utf8)
        func number(_ value: Int, _ size: Int) { for i in 0..<size { bytes.append(UInt8(value >> (8 * i) & 255)) } }
        number(36 + frames * channels * 4, 4)
        bytes.append(Data("WAVEfmt ".utf8))
        for (value, size) in [(16, 4), (3, 2), (channels, 2), (48_000, 4), (48_000 * channels * 4, 4)] {
            number(value, size)
        }
        for (value, size) in [(channels * 4, 2), (32, 2)] { number(value, size) }
        bytes.append(Data("data".utf8))
        number(frames * channels * 4, 4)
        for i in 0..<(frames * channels) { number(Int(Float(i == 0 ? 0.5 : 0).bitPattern), 4) }
        let path = folder.appendingPathComponent("field-\(channels)-\(UUID().uuidString).wav").path
        try bytes.write(to: URL(fileURLWithPath: path))
        return path
    }

    private static func render(
        channels: Int, _ layout: String?, _ ambisonics: AmbisonicFormat.Convention = .sn3d
    ) throws -> RenderReport {
        let input = try write(channels: channels)
        let output = input + ".out.wav"
        defer {
            try? FileManager.default.removeItem(atPath: input)
            try? FileManager.default.removeItem(atPath: output)
        }
        return try OfflineSession.render(
            RenderSettings(
                stage: StageSettings(layout: layout, ambisonics: ambisonics, hrtf: "generated"), input: input,
                output: output), progress: { _ in true })
    }

    @Test func aFileWithTheOrdersChannelsIsRendered() throws {
        let report = try Self.render(channels: 16, "ambi3", .n3d)
        #expect(report.layout == "ambi3" && report.ambisonics == "n3d")
        #expect(report.frames > 480 && report.peak > -40)
        #expect(report.lines[0].hasPrefix("layout ambi3 (n3d), "))
    }

    @Test(
        arguments: [
            (9, "ambi3", "has 9 channels, the layout has 16; fitting: --layout ambi2"),
            (4, nil, "choose the layout: --layout quad or --layout 3.1 or --layout ambi1"),
            (13, "ambi1", "no layout has 13 channels"),
        ] as [(Int, String?, String)])
    func aFileThatDoesNotFitIsRefusedInWords(_ channels: Int, _ layout: String?, _ words: String) {
        let error = #expect(throws: SessionError.self) { try Self.render(channels: channels, layout) }
        #expect("\(error.map(String.init(describing:)) ?? "")".contains(words))
    }

    @Test func aRoomIsForLoudspeakers() throws {
        var stage = StageSettings(layout: "ambi1", hrtf: "generated")
        stage.room.name = "studio"
        let input = try Self.write(channels: 4)
        defer { try? FileManager.default.removeItem(atPath: input) }
        let error = #expect(throws: SessionError.self) {
            _ = try OfflineSession.render(
                RenderSettings(stage: stage, input: input, output: input + ".out.wav"), progress: { _ in true })
        }
        #expect(error?.description.contains("--room none") == true)
    }

    @Test func furseMalhamEndsAtOrderThree() {
        #expect(throws: SessionError.self) { try Self.render(channels: 25, "ambi4", .fuma) }
    }
}
