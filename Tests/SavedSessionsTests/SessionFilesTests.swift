import Foundation
import Gate
import Loading
import Racks
import SavedSessions
import SoundFixtures
import Stages
import Testing

/// Files that a session names, and the search for them.
@Suite struct SessionFilesTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func aMissingFileIsNamedAndAMovedOneFound() throws {
        let folder = try scratch.session("{}")
        try FileManager.default.createDirectory(atPath: folder + "/files", withIntermediateDirectories: true)
        try Data("set".utf8).write(to: URL(fileURLWithPath: folder + "/files/hrtf-a.sofa"))
        var saved = SessionDocument()
        saved.options = ["hrtf": .text("/gone/a.sofa"), "room": .text("/gone/b.sofa"), "layout": .text("5.1")]
        let hash = try #require(SessionFiles.hash(of: folder + "/files/hrtf-a.sofa"))
        saved.used = [
            "hrtf": .init(path: "/gone/a.sofa", hash: hash, link: "hrtf-a.sofa", named: "/gone/a.sofa"),
            "room": .init(
                path: "/gone/b.sofa", hash: "123456789abcdef0", link: "room-b.sofa", named: "/gone/b.sofa"),
        ]
        let found = SessionFiles.find(saved, in: folder)
        #expect(found.options == ["hrtf": .text(folder + "/files/hrtf-a.sofa"), "layout": .text("5.1")])
        #expect(
            found.remarks.count == 1 && found.remarks[0].contains("--room /gone/b.sofa is not on this machine")
                && found.remarks[0].contains("without a room"))
    }

    /// A file with the saved content has priority over a file with the saved name.
    @Test func whateverHasTheContentIsTaken() throws {
        let folder = try scratch.session("{}")
        func put(_ text: String, at name: String) throws -> String {
            try FileManager.default.createDirectory(atPath: folder + "/files", withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
            return folder + "/" + name
        }
        let (named, path, link) = (
            try put("other", at: "named.sofa"), try put("set", at: "path.sofa"), try put("other", at: "files/link.sofa")
        )
        var saved = SessionDocument()
        saved.options = ["hrtf": .text(named)]
        let hash = try #require(SessionFiles.hash(of: path))
        saved.used = ["hrtf": .init(path: path, hash: hash, link: "link.sofa", named: named)]
        #expect(SessionFiles.find(saved, in: folder).options["hrtf"] == .text(path))
        #expect(SessionFiles.find(saved, in: folder).remarks.isEmpty)
        _ = try put("set", at: "files/link.sofa")
        #expect(SessionFiles.find(saved, in: folder).options["hrtf"] == .text(link))
        _ = try put("set", at: "named.sofa")
        #expect(SessionFiles.find(saved, in: folder).options["hrtf"] == .text(named))
        // No file has the saved content: the file in the session's folder is taken, with a remark.
        for file in [named, path, link] { try Data("third".utf8).write(to: URL(fileURLWithPath: file)) }
        let third = SessionFiles.find(saved, in: folder)
        #expect(third.options["hrtf"] == .text(link) && third.remarks.first?.contains("its content is another") == true)
        for file in [named, path, link] { try FileManager.default.removeItem(atPath: file) }
        #expect(SessionFiles.find(saved, in: folder).options["hrtf"] == nil)
    }

    @Test func whatATextNamesIsKeptUnderNamesThatFit() {
        let long = String(repeating: "音", count: 120)
        let names = ["a/" + long + ".wav", "b/" + long + ".wav", "c.wav", "d/c.wav"].map(EqualiserResponses.keptName)
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { $0.utf8.count <= 200 && !$0.contains("/") && $0.hasSuffix(".wav") })
    }

    /// An equaliser's text and the responses it names belong together: the session finds both, or has no equaliser.
    @Test func whatATextNamesIsFoundWithIt() throws {
        let folder = try scratch.session("{}")
        let files = folder + "/files/"
        let text = "Convolution: sub\\\\half.wav\nConvolution: /abs/100%.wav\n"
        try FileManager.default.createDirectory(atPath: files + "eq.txt.responses", withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: files + "eq.txt"))
        let names = EqualiserResponses.named(in: files + "eq.txt")
        #expect(names.count == 2)
        for name in names {
            let kept = files + "eq.txt.responses/" + EqualiserResponses.keptName(name)
            try Data(name.utf8).write(to: URL(fileURLWithPath: kept))
            #expect(EqualiserResponses.place(of: name, in: files + "eq.txt") == kept)
        }
        var saved = SessionDocument()
        saved.options = ["headphone-eq": .text("/gone/eq.txt")]
        var used = SessionDocument.UsedFile(
            path: "/gone/eq.txt", hash: try #require(SessionFiles.hash(of: files + "eq.txt")), link: "eq.txt",
            named: "/gone/eq.txt")
        for name in names {
            used.parts[name] = SessionFiles.hash(of: EqualiserResponses.place(of: name, in: files + "eq.txt"))
        }
        saved.used = ["headphone-eq": used]
        try saved.write(to: folder)
        #expect(try SessionDocument(folder: folder)?.used == saved.used)
        let whole = SessionFiles.find(saved, in: folder)
        #expect(whole.options["headphone-eq"] == .text(files + "eq.txt") && whole.remarks.isEmpty)
        // A response with other content gives a remark; a missing response leaves the session without equaliser.
        let first = EqualiserResponses.place(of: names[0], in: files + "eq.txt")
        try Data("other".utf8).write(to: URL(fileURLWithPath: first))
        let other = SessionFiles.find(saved, in: folder)
        #expect(
            other.options["headphone-eq"] != nil && other.remarks.contains { $0.contains("its content is another") })
        try FileManager.default.removeItem(atPath: first)
        let gone = SessionFiles.find(saved, in: folder)
        #expect(gone.options["headphone-eq"] == nil && gone.remarks.contains { $0.contains("without an equalisation") })
    }

    @Test func aSetThatIsNotInstalledIsNamedWhoeverSavedIt() throws {
        let folder = try scratch.session("{}")
        var saved = SessionDocument()
        saved.options = ["hrtf": .text("rare-set"), "surface": .text("/gone/map.json"), "room": .text("studio")]
        let found = SessionFiles.find(saved, in: folder)
        #expect(found.options == ["room": .text("studio")])
        #expect(found.remarks.contains { $0.contains("--hrtf rare-set") && $0.contains("the default set") })
        #expect(found.remarks.contains { $0.contains("--surface /gone/map.json") && $0.contains("without its map") })
        saved.options = ["hrtf": .text("generated"), "surface": .text("mackie")]
        #expect(SessionFiles.find(saved, in: folder).options == saved.options)
    }

    @Test func aRoomOfManyFilesIsKnownByAllOfThem() throws {
        let folder = try scratch.session("{}")
        let room = folder + "/room"
        try FileManager.default.createDirectory(atPath: room, withIntermediateDirectories: true)
        for yaw in ["0", "30"] { try Data(yaw.utf8).write(to: URL(fileURLWithPath: "\(room)/yaw\(yaw).wav")) }
        let hash = try #require(SessionFiles.hash(of: room))
        try FileManager.default.copyItem(atPath: room, toPath: folder + "/copy")
        #expect(SessionFiles.hash(of: folder + "/copy") == hash)
        try Data("other".utf8).write(to: URL(fileURLWithPath: room + "/yaw30.wav"))
        #expect(SessionFiles.hash(of: room) != hash)
        var saved = SessionDocument()
        saved.options = ["room": .text(room)]
        saved.used = ["room": .init(path: folder + "/copy", hash: hash, link: "room", named: room)]
        #expect(SessionFiles.find(saved, in: folder).options["room"] == .text(folder + "/copy"))
    }

    @Test func inputsWhoseLayoutIsMissingAreLeftOutWithWhatTheyFeed() throws {
        let folder = try scratch.session("{}")
        try Data("{}".utf8).write(to: URL(fileURLWithPath: folder + "/ring.json"))
        var saved = SessionDocument()
        saved.options = [
            "input": .list([.text("talk=/gone/x.json,level=-3"), .text("bell=mono"), .text("sky=ring.json")]),
            "effect": .list([
                .text("hall=5.1,main=-12,talk=-18"), .text("wet=stereo,talk=-3,level=-2"),
                .text("far=/gone/y.json,main=0"),
            ]),
        ]
        let found = SessionFiles.find(saved, in: folder)
        #expect(found.options["input"] == .list([.text("bell=mono"), .text("sky=ring.json")]))
        #expect(found.options["effect"] == .list([.text("hall=5.1,main=-12")]))
        for name in ["--input talk", "--effect wet", "--effect far"] {
            #expect(found.remarks.contains { $0.contains(name) }, "\(found.remarks)")
        }
    }

    @Test func whatIsTypedOfPluginsCountsAndTheRestComesBack() throws {
        func plugin(_ words: String, state: String? = nil) throws -> PluginRequest {
            var request = try PluginRequest(parsing: words)
            request.state = state
            return request
        }
        let saved = [
            try plugin("main=urn:x/amp,name=amp,bypass=yes", state: "/s/amp"), try plugin("ears=urn:x/eq,name=eq"),
            try plugin("main=urn:x/amp,name=amp-2", state: "/s/amp-2"),
        ]
        let both = SessionFiles.plugins(
            saved, typed: [try plugin("main=urn:x/amp,gain=-3"), try plugin("main=urn:x/amp")])
        #expect(both.map(\.name) == ["amp", "eq", "amp-2"] && both.map(\.state) == ["/s/amp", nil, "/s/amp-2"])
        #expect(both[0].controls == [.init(symbol: "gain", value: "-3")] && both[0].isBypassed)
        let awake = SessionFiles.plugins(saved, typed: [try plugin("main=urn:x/amp,name=amp,bypass=no")])
        #expect(!awake[0].isBypassed)
        let other = SessionFiles.plugins(
            saved, typed: [try plugin("main=urn:y/other,name=eq"), try plugin("main=urn:z")])
        #expect(other.map(\.identifier) == ["urn:x/amp", "urn:x/amp", "urn:y/other", "urn:z"])
        #expect(Set(other.compactMap(\.name)).count == 4)
    }
}
