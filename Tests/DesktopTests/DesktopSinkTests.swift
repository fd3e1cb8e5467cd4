import Foundation
import Loading
import Testing

@testable import Desktop

@Suite struct DesktopSinkTests {
    @Test(arguments: [
        ("stereo", "FL FR"), ("5.1", "FL FR FC LFE RL RR"), ("7.1", "FL FR FC LFE RL RR SL SR"),
        ("7.1.4", "FL FR FC LFE RL RR SL SR TFL TFR TRL TRR"),
    ])
    func positionsAreThoseOfPipeWire(_ layout: String, _ positions: String) throws {
        let sink = try DesktopSink(layout: layout)
        #expect(sink.channels.map(\.position).joined(separator: " ") == positions)
        #expect(Set(sink.channels.map(\.input)).count == sink.channels.count)
        #expect(sink.properties.contains("audio.position=[ \(positions) ]"))
        #expect(
            sink.properties.contains("node.name=\"proscenium.\(layout)\" node.description=\"Proscenium \(layout)\""))
    }

    @Test(arguments: ["mono", "ambi3", "/tmp/layout.json", "9.9"]) func otherLayoutsAreRefusedWithThoseThatWork(
        _ layout: String
    ) {
        let error = #expect(throws: SessionError.self) { try DesktopSink(layout: layout) }
        #expect(error?.description.contains("5.1, 6.1, 7.0, 7.1") == true)
    }

    @Test func aFurtherInputHasASinkOfItsOwn() throws {
        let sink = try DesktopSink(input: "past")
        #expect(sink.name == "proscenium.input.past" && sink.description == "Proscenium past")
        #expect(sink.channels.map(\.input) == ["in_past_FL", "in_past_FR"])
        #expect(sink.properties.contains("audio.position=[ FL FR ]"))
        #expect(try sink != DesktopSink(layout: "stereo"))
        for name in ["", "main", "a b", "x\"y", "ä", String(repeating: "a", count: 17)] {
            #expect(throws: SessionError.self) { try DesktopSink(input: name) }
        }
    }

    @Test func theSinksAreThoseOfTheSessionsInputs() throws {
        var record = DesktopRecord(
            layout: "7.1", output: DesktopOutput(name: "a", description: "A"),
            inputs: ["past=stereo,role=direct", "zoom=stereo"], service: .process)
        #expect(try record.sinks.map(\.input) == ["main", "past", "zoom"])
        record.inputs = ["x\" y=stereo"]
        #expect(throws: SessionError.self) { try record.sinks }
        record.inputs = []
        #expect(try record.sinks.map(\.input) == ["main"])
    }

    @Test func aUnitsWordsAreReadBackAsTheyWere() {
        #expect(SystemdUnit.quoted(#"a "b" 100% $HOME \x"#) == #""a \"b\" 100%% $$HOME \\x""#)
        let text = SystemdUnit.text(
            running: ["/usr/bin/pw-jack", "/opt/my apps/proscenium", "run"], in: "/home/me/50%")
        #expect(text.contains("\nExecStart=\"/usr/bin/pw-jack\" \"/opt/my apps/proscenium\" \"run\"\n"))
        #expect(text.contains("\nWorkingDirectory=-/home/me/50%%\n"))
    }

    @Test func aRecordIsKeptAndRemoved() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/desktop-record-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        /// Reads a record of the present version.
        func saved() throws -> DesktopRecord? {
            try DesktopRecord(in: folder) { typed in
                Issue.record("a record of the present version has no typed words, here \(typed)")
                return [:]
            }
        }
        #expect(try saved() == nil)
        let record = DesktopRecord(
            layout: "7.1", output: DesktopOutput(name: "a", description: "A", port: "p", isByWord: true),
            inputs: ["past=stereo"], options: ["head": ["osc:9000"], "plugin": ["main=urn:x", "ears=urn:y"]],
            service: .process, isDefault: true, formerDefault: "b")
        try record.write(in: folder)
        #expect(try saved() == record)
        // A record without its inputs and options is damaged.
        let output = #""output": {"name": "a", "description": "A", "isByWord": false}"#
        let rest = #""layout": "7.1", "service": "process", "isDefault": false"#
        for text in ["[]", "{\(output), \(rest), \"inputs\": []}", "{\(output), \(rest), \"options\": {}}"] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: DesktopRecord.path(in: folder)))
            #expect(throws: SessionError.self) { try saved() }
        }
        DesktopRecord.remove(in: folder)
        #expect(try saved() == nil)
    }

    @Test func theLineOfARecordSetsUpTheSame() {
        let record = DesktopRecord(
            layout: "7.1", output: DesktopOutput(name: "a", description: "A", isByWord: true),
            options: ["gain": ["-6"], "hrtf": ["my set.sofa"], "plugin": ["main=urn:x", "ears=urn:y"]],
            service: .process, isDefault: true)
        #expect(
            record.line == "proscenium desktop on --default --output a --gain=-6 --hrtf 'my set.sofa' "
                + "--plugin main=urn:x --plugin ears=urn:y")
    }

    @Test func missingProgramsAreNamedWithThePackage() {
        let error = #expect(throws: SessionError.self) { try PipeWireTools(searching: "/nowhere") }
        #expect(error?.description.contains("pw-dump") == true)
        #expect(
            error?.description.hasSuffix("sudo apt install pipewire-bin pipewire-jack coreutils dash util-linux")
                == true)
    }

    @Test func thePackagesOfTheMissingProgramsAloneAreNamed() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/desktop-tools-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for name in ["pw-dump", "pw-cli", "pw-link", "pw-metadata", "stdbuf", "sh"] {
            let isMade = FileManager.default.createFile(
                atPath: folder + "/" + name, contents: nil, attributes: [.posixPermissions: 0o755])
            #expect(isMade)
        }
        let error = #expect(throws: SessionError.self) { try PipeWireTools(searching: folder) }
        #expect(
            error?.description
                == "pw-jack, setsid are not installed; this installs it: sudo apt install pipewire-jack util-linux")
    }

    @Test func aProcessOfItsOwnIsFoundByItsLock() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/desktop-own-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let own = OwnProcess(in: folder)
        #expect(own.running == nil && !own.hasBegun)
        let lock = try #require(try own.claim())
        #expect(own.running == getpid())
        #expect(try own.claim() == nil)
        close(lock)
        // The file without its lock does not count as a running process.
        #expect(own.running == nil && own.hasBegun)
        own.end()
        #expect(!own.hasBegun)
        // A file that cannot be opened is another process's no more than a lock.
        #expect(throws: SessionError.self) { try OwnProcess(in: folder + "/nowhere").claim() }
    }

    @Test func aProcessOfItsOwnKnowsThatTheUserHasLoggedOut() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/desktop-out-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let own = OwnProcess(in: folder)
        let lock = try #require(try own.claim())
        defer { close(lock) }
        #expect(own.isMarked(by: lock))
        try FileManager.default.removeItem(atPath: folder)
        #expect(!own.isMarked(by: lock))
    }
}
