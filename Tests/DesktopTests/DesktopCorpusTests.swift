import Desktop
import Foundation
import Testing

/// Records that the versions of the program have written (`Corpus`). Each must be read with all its values. A new form
/// needs a new record; the stored records must not change.
@Suite struct DesktopCorpusTests {
    private static let corpus = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Corpus").path

    /// Reads a record, and checks that this version writes the same content. Typed words of an earlier version become
    /// the texts of an option `typed`.
    private func record(_ name: String) throws -> DesktopRecord {
        let found = try DesktopRecord(in: Self.corpus + "/" + name) { typed in ["typed": typed] }
        let record = try #require(found)
        let folder = FileManager.default.temporaryDirectory.path + "/desktop-corpus-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try record.write(in: folder)
        let again = try DesktopRecord(in: folder) { typed in
            Issue.record("the record was written with the typed words \(typed)")
            return [:]
        }
        #expect(again == record)
        let text = try String(contentsOfFile: DesktopRecord.path(in: folder), encoding: .utf8)
        #expect(!text.contains("\"words\""))
        return record
    }

    @Test func `The test reads all records of the corpus`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.corpus)
        #expect(names.sorted() == ["record-1", "record-1-place", "record-1-rules", "record-2", "record-3"])
    }

    @Test func `A record of the first version has no folder, and all options in its command line`() throws {
        let output = DesktopOutput(name: "bluez_output.38_18_4C.1", description: "WH-1000XM4")
        #expect(
            try record("record-1")
                == DesktopRecord(
                    layout: "7.1", output: output, options: ["typed": ["--default", "--head", "osc:9000"]],
                    service: .systemd, isDefault: true, placedDefault: "proscenium.7.1",
                    formerDefault: "alsa_output.pci.analog-stereo"))
    }

    @Test func `A record with a folder keeps it, and headphones that the user has named`() throws {
        let record = try record("record-1-place")
        #expect(record.place == "/home/me/my music" && record.service == .process && !record.isDefault)
        #expect(record.output.isByWord && record.output.port == "analog-output-headphones")
        #expect(record.layout == "stereo" && record.inputs == [])
        #expect(record.options == ["typed": ["--output", "Analog Stereo", "--layout", "stereo"]])
    }

    @Test func `The inputs of the rules are found in a command line of an earlier version`() throws {
        let record = try record("record-1-rules")
        #expect(record.inputs == ["past=stereo,role=direct,level=3", "zoom=stereo,place=-60,level=-3"])
        #expect(try record.sinks.map(\.input) == ["main", "past", "zoom"])
        #expect(record.options == ["typed": ["--layout=5.1", "--gain=-6"]])
    }

    @Test func `A record of the second version has its inputs apart from the command line`() throws {
        let record = try record("record-2")
        #expect(record.inputs == ["past=stereo,role=direct,level=3"])
        #expect(try record.sinks.map(\.input) == ["main", "past"])
        #expect(record.options == ["typed": ["--gain=-6"]])
    }

    @Test func `A record of the present version has no words of a command line`() throws {
        let output = DesktopOutput(
            name: "alsa_output.pci.analog-stereo", description: "Analog Stereo", port: "analog-output-headphones",
            isByWord: true)
        let options = ["gain": ["-6"], "head": ["osc:9000"], "plugin": ["main=urn:x/amp", "ears=urn:x/eq"]]
        #expect(
            try record("record-3")
                == DesktopRecord(
                    layout: "7.1", output: output, inputs: ["past=stereo,role=direct,level=3"], options: options,
                    service: .systemd, isDefault: true, placedDefault: "proscenium.7.1", place: "/home/me"))
    }
}
