import Foundation
import StoredProperties
import Testing

@testable import Soundstage

@Suite struct ProgrammeMetadataTests {
    private func read(_ text: String) throws(ProgrammeMetadataError) -> ProgrammeMetadata {
        try ProgrammeMetadata(json: Array(text.utf8), source: "song.wav.json")
    }

    @Test func everyKeyIsReadAndWrittenBack() throws {
        let all = try read(
            """
            {"loudness": -23.1, "loudnessRange": 14.2, "truePeak": -1.4, "dialnorm": -27, "drc": "film-standard",
             "layout": "7.1.4", "order": "film", "content": "av", "place": {"yaw": 20, "pitch": -5}, "width": 15,
             "encoding": "lt-rt", "sound": {"frames": 48000, "sha256": "\(String(repeating: "0f", count: 32))"}}
            """)
        // A new property needs a key above, and in the reader.
        #expect(StoredProperties.same(all, ProgrammeMetadata()).isEmpty)
        #expect(all.loudness == -23.1 && all.loudnessRange == 14.2 && all.truePeak == -1.4 && all.dialnorm == -27)
        #expect(all.drc == .filmStandard && all.layout == "7.1.4" && all.order == .film && all.content == .av)
        #expect(all.place == .init(yaw: 20, pitch: -5) && all.width == 15)
        #expect(try ProgrammeMetadata(json: all.json) == all)
        #expect(try ProgrammeMetadata(json: ProgrammeMetadata().json).isEmpty)
    }

    @Test func theReservedDialnormIsMinus31() throws { #expect(try read("{\"dialnorm\": 0}").dialnorm == -31) }

    @Test(arguments: [
        ("{\"loudnes\": -23}", "loudnes is unknown"),
        ("{\"loudness\": 151}", "loudness is 151.0, outside −1000…150 LUFS"),
        ("{\"loudness\": true}", "loudness must be a number"), ("{\"dialnorm\": -27.5}", "whole number"),
        ("{\"dialnorm\": -40}", "outside −31…0"), ("{\"drc\": \"loud\"}", "drc must be one of \"none\""),
        ("{\"place\": {}}", "place must be an object"), ("{\"place\": {\"tilt\": 1}}", "place.tilt is unknown"),
        ("{\"width\": -1}", "width is -1.0"), ("[1]", "must be an object"), ("{\"loudness\": }", "not valid JSON"),
    ])
    func mistakesAreNamed(_ text: String, _ words: String) {
        let error = #expect(throws: ProgrammeMetadataError.self) { try read(text) }
        let found = error?.description.replacingOccurrences(of: "-1000…", with: "−1000…")
            .replacingOccurrences(of: "-31…", with: "−31…")
        #expect(found?.contains(words) == true, "\(error?.description ?? "nothing")")
    }

    @Test func theFileBesideASoundFileIsFound() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(try ProgrammeMetadata.beside(file: folder + "/song.wav") == nil)
        var metadata = ProgrammeMetadata()
        metadata.loudness = -16
        try Data(metadata.json).write(to: URL(filePath: folder + "/song.wav.json"))
        #expect(try ProgrammeMetadata.beside(file: folder + "/song.wav") == metadata)
    }
}
