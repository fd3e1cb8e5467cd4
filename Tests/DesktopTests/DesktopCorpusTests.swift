import Desktop
import Foundation
import Testing

/// Records that the versions of the program have written (`Corpus`). Each must be read with all its values. A new form
/// needs a new record; the stored records must not change.
@Suite struct DesktopCorpusTests {
    private static let corpus = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Corpus").path

    /// First words of the command lines with all options, as earlier versions wrote them.
    private static let first = ["run", "--desktop", "--quiet", "--name", "proscenium-desktop"]

    /// Reads a record, and checks that this version writes the same content.
    private func record(_ name: String) throws -> DesktopRecord {
        let record = try #require(try DesktopRecord(in: Self.corpus + "/" + name))
        let folder = FileManager.default.temporaryDirectory.path + "/desktop-corpus-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try record.write(in: folder)
        #expect(try DesktopRecord(in: folder) == record)
        return record
    }

    @Test func `The test reads all records of the corpus`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.corpus)
        #expect(names.sorted() == ["record-1", "record-1-place", "record-1-rules", "record-2"])
    }

    @Test func `A record of the first version has no folder, and all options in its command line`() throws {
        let record = try record("record-1")
        let options = ["--layout", "7.1", "--limiter", "lookahead", "--gain=-3", "--head", "osc:9000"]
        let output = DesktopOutput(name: "bluez_output.38_18_4C.1", description: "WH-1000XM4")
        #expect(
            record
                == DesktopRecord(
                    layout: "7.1", output: output, words: Self.first + options,
                    typed: ["--default", "--head", "osc:9000"], service: .systemd, isDefault: true,
                    placedDefault: "proscenium.7.1", formerDefault: "alsa_output.pci.analog-stereo"))
        #expect(record.inputsInForce == [] && record.inputs == nil && record.place == nil)
        #expect(try record.sinks.map(\.input) == ["main"])
        #expect(record.line == "proscenium desktop on --default --head osc:9000")
    }

    @Test func `A record with a folder keeps it, and headphones that the user has named`() throws {
        let record = try record("record-1-place")
        #expect(record.place == "/home/me/my music" && record.service == .process && !record.isDefault)
        #expect(record.output.isByWord && record.output.port == "analog-output-headphones")
        #expect(record.words.starts(with: Self.first) && record.layout == "stereo" && record.inputsInForce == [])
    }

    @Test func `The inputs of the rules are found in a command line of an earlier version`() throws {
        let record = try record("record-1-rules")
        #expect(record.inputs == nil)
        #expect(record.inputsInForce == ["past=stereo,role=direct,level=3", "zoom=stereo,place=-60,level=-3"])
        #expect(try record.sinks.map(\.input) == ["main", "past", "zoom"])
        let unit = SystemdUnit.text(running: ["/usr/bin/pw-jack", "proscenium"] + record.words, in: "/home/me")
        #expect(unit.contains("\"--input\" \"zoom=stereo,place=-60,level=-3\" \"--layout=5.1\" \"--gain=-6\"\n"))
    }

    @Test func `A record of the present version has its inputs apart from the command line`() throws {
        let record = try record("record-2")
        #expect(record.words == ["run", "--desktop"] && record.typed == ["--gain=-6"])
        #expect(record.inputs == ["past=stereo,role=direct,level=3"])
        #expect(try record.sinks.map(\.input) == ["main", "past"])
    }
}
