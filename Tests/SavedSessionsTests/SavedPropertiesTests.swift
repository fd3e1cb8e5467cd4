import AudioIO
import Desk
import Foundation
import Gate
import Loading
import SavedSessions
import SoundFixtures
import Stages
import StoredProperties
import Testing

@testable import Racks

/// The reader and the writer of a saved session name its sections.
@Suite struct SavedPropertiesTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func `Every property of a saved session is written and read`() throws {
        var file = SessionDocument.UsedFile(path: "/one.txt", hash: "00ff", link: "eq-one.txt", named: "one.txt")
        (file.parts, file.others) = (["left.wav": "01fe"], ["later": .text("key")])
        let noFile = SessionDocument.UsedFile(path: "", hash: "", link: "", named: "")
        #expect(StoredProperties.same(file, noFile).isEmpty)
        var saved = SessionDocument()
        saved.options = ["http": .text("8080")]
        saved.state = [
            "layout": .word("5.1"), "input/main/level": .number(-3), "input/main/mode-before": .word("fixed"),
        ]
        (saved.client, saved.links) = ("proscenium", [JACKLink(from: "a:b", to: ":in_FL")])
        (saved.scene, saved.scenes) = ("b", ["a": ["layout": .word("7.1")]])
        saved.used = ["headphone-eq": file]
        (saved.trackers, saved.others) = (["usb": .object(["bias": .text("x")])], ["later": .text("key")])
        // A new property needs a value above, and a section of the file. The chains have files of their own; the others
        // describe how a file was read.
        let left = ["chains", "isTemplate", "step", "remarks", "unread", "unreadLinks"]
        #expect(StoredProperties.same(saved, SessionDocument()).sorted() == left.sorted())
        let folder = try scratch.session("{}")
        try saved.write(to: folder)
        #expect(try SessionDocument(folder: folder) == saved)
        // The encoded form is that of the file.
        let encoded = try JSONValue.decode(
            SessionDocument.self, from: Array(JSONEncoder().encode(saved)), within: .session)
        #expect(encoded == saved)
    }

    @Test func `Every part of the state of a session that plays is taken over`() {
        var now = SessionDocument()
        now.state = ["input/main/level": .number(-3), "layout": .word("5.1")]
        (now.client, now.links) = ("stage", [JACKLink(from: "a:b", to: "stage:in_FL")])
        (now.scene, now.scenes) = ("b", ["a": ["layout": .word("7.1")]])
        now.trackers = ["usb": .object(["bias": .text("x")])]
        // A new property needs a value above, and must be taken over. The properties in `own` are those of the folder.
        let own = ["chains", "isTemplate", "options", "others", "remarks", "step", "unread", "unreadLinks", "used"]
        #expect(StoredProperties.same(now, SessionDocument()).sorted() == own)
        var (saved, unbuilt, standing) = (SessionDocument(), Set(["b", "c"]), SessionDocument.Standing())
        saved.trackers = ["usb": .object(["glow": .number(1)]), "osc:9000": .object([:])]
        saved.take(now, unbuilt: &unbuilt, &standing)
        (now.client, now.links) = ("", [JACKLink(from: "a:b", to: ":in_FL")])
        now.trackers = ["usb": .object(["bias": .text("x"), "glow": .number(1)]), "osc:9000": .object([:])]
        #expect(saved == now && unbuilt == ["c"])
        // During a blind comparison the scenes stay as they were saved.
        var blind = now
        (blind.scene, blind.scenes) = ("", [:])
        saved.take(blind, unbuilt: &unbuilt, &standing)
        #expect(saved == now && unbuilt == ["c"])
    }

    @Test func `The difference of two states has the values and the chains, and turns back`() throws {
        func state(_ level: Double, _ plugin: String?) throws -> SessionDocument {
            var state = SessionDocument()
            state.state = ["input/main/level": .number(level), "dim": .word("off")]
            state.chains = try plugin.map { PluginRack.Memory(requests: [try PluginRequest(parsing: $0)]) }
            return state
        }
        let (former, now) = (try state(0, "main=urn:x"), try state(-3, "main=urn:x,gain=2"))
        let difference = now.difference(from: former)
        #expect(difference.changes == ["input/main/level": .init(before: .number(0), after: .number(-3))])
        #expect(difference.chains?.after == now.chains && !difference.isEmpty)
        #expect(former.difference(from: now) == difference.inverse)
        // Unless both states have chains, the difference has no change of the chains.
        #expect(try state(0, nil).difference(from: former).isEmpty)
        var both = difference
        both.append(try state(-6, "main=urn:y").difference(from: now))
        #expect(both.changes["input/main/level"] == .init(before: .number(0), after: .number(-6)))
        #expect(both.chains?.before == former.chains && both.chains?.after?.requests.first?.identifier == "urn:y")
    }
}
