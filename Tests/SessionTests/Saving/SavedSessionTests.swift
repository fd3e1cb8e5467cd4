import AudioIO
import Foundation
import SeededRandom
import Testing

@testable import Session

/// What a session's folder holds.
@Suite struct SavedSessionTests {
    /// A folder with a `session.json`.
    private func folder(_ json: String) throws -> String {
        let folder = NSTemporaryDirectory() + "session-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(json.utf8).write(to: URL(fileURLWithPath: folder + "/session.json"))
        return folder
    }

    /// The vectors of FIPS 180-4's examples, and a million letters.
    @Test func aFileIsKnownByItsContent() {
        func hash(_ text: String) -> String {
            var hash = SHA256()
            hash.add(text.utf8)
            return hash.finish()
        }
        #expect(hash("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(hash("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
                == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
        #expect(
            hash(String(repeating: "a", count: 1_000_000))
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test func whatIsWrittenIsRead() throws {
        let folder = try folder("{}")
        var saved = SavedSession()
        saved.options = ["layout": .text("5.1"), "input": .list([.text("bell=mono")]), "slice": .number(128)]
        saved.state = [
            "input/main/level": .numbers([-3]), "reference": .word("head"), "follow": .numbers([1, 0.5, 0]),
        ]
        (saved.client, saved.links) = ("proscenium", [JACKLink(from: "a:b", to: "proscenium:in_FL")])
        saved.used = ["hrtf": .init(path: "/sets/one.sofa", hash: "00ff", link: "hrtf-one.sofa", named: "one.sofa")]
        try saved.write(to: folder)
        #expect(try SavedSession(folder: folder) == saved)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["session.json"])
    }

    @Test func keysOfOthersAreKept() throws {
        let folder = try folder(#"{"version":2,"options":{},"colour":{"stage":["red",1,null,true]}}"#)
        try #require(try SavedSession(folder: folder)).write(to: folder)
        let text = try String(contentsOfFile: folder + "/session.json", encoding: .utf8)
        #expect(
            JSONValue(parsing: text)?["colour"]?["stage"] == .list([.text("red"), .number(1), .null, .truth(true)]))
    }

    @Test func optionsAloneAreATemplate() throws {
        let saved = try #require(try SavedSession(folder: folder(#"{"layout":"5.1","gain":-3}"#)))
        #expect(saved.isTemplate && saved.options == ["layout": .text("5.1"), "gain": .number(-3)])
    }

    @Test(arguments: [
        "", "[]", "{", #"{"version":3}"#, #"{"version":0}"#, #"{"version":2,"options":[]}"#,
        #"{"version":2,"state":{"mode":{}}}"#, #"{"version":2,"connections":[["a"]]}"#,
        #"{"version":2,"files":{"hrtf":{"path":"x","sha256":"y","link":"../../etc/passwd"}}}"#,
    ])
    func whatIsNoSessionIsRefusedByName(_ json: String) throws {
        let folder = try folder(json)
        let error = #expect(throws: SessionError.self) { _ = try SavedSession(folder: folder) }
        #expect(error?.description.contains("session.json") == true)
    }

    /// Bytes of a session, changed at random: read or refused. Five hundred; under `PROSCENIUM_SOAK=1` ten minutes of them.
    @Test(.timeLimit(.minutes(30))) func damagedFilesHarmNobody() throws {
        let isSoak = ProcessInfo.processInfo.environment["PROSCENIUM_SOAK"] == "1"
        let end = ContinuousClock.now + .seconds(600)
        var chance = SplitMix(state: 15)
        var saved = SavedSession()
        saved.state = ["input/main/level": .numbers([-3]), "follow": .numbers([1, 0.5, 0])]
        saved.links = [JACKLink(from: "a:b", to: "c:d")]
        let whole = Array(saved.json.page.utf8)
        var (refused, count) = (0, 0)
        let folder = try folder("")
        while count < 500 || isSoak && ContinuousClock.now < end {
            count += 1
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &chance) {
                bytes[Int.random(in: 0..<bytes.count, using: &chance)] = UInt8.random(in: 0...255, using: &chance)
            }
            if count.isMultiple(of: 3) {
                // Cut short, or with a piece of itself where it does not belong.
                let (from, to) = (Int.random(in: 0..<bytes.count, using: &chance), bytes.count)
                bytes.append(contentsOf: bytes[from..<min(to, from + Int.random(in: 0..<200, using: &chance))])
                bytes.removeLast(Int.random(in: 0..<bytes.count, using: &chance))
            }
            try Data(bytes).write(to: URL(fileURLWithPath: folder + "/session.json"))
            do throws(SessionError) { _ = try SavedSession(folder: folder) } catch { refused += 1 }
        }
        #expect(refused > count / 5)
        if isSoak { print("saved sessions: \(count) damaged files, \(refused) refused, the others read") }
    }

    @Test func aMissingFileIsNamedAndAMovedOneFound() throws {
        let folder = try folder("{}")
        try FileManager.default.createDirectory(atPath: folder + "/files", withIntermediateDirectories: true)
        try Data("set".utf8).write(to: URL(fileURLWithPath: folder + "/files/hrtf-a.sofa"))
        var saved = SavedSession()
        saved.options = ["hrtf": .text("/gone/a.sofa"), "room": .text("/gone/b.sofa"), "layout": .text("5.1")]
        let hash = try #require(SessionFiles.hash(of: folder + "/files/hrtf-a.sofa"))
        saved.used = [
            "hrtf": .init(path: "/gone/a.sofa", hash: hash, link: "hrtf-a.sofa", named: "/gone/a.sofa"),
            "room": .init(
                path: "/gone/b.sofa", hash: "123456789abcdef0", link: "room-b.sofa", named: "/gone/b.sofa"),
        ]
        let (options, remarks) = SessionFiles.find(saved, in: folder)
        #expect(options == ["hrtf": .text(folder + "/files/hrtf-a.sofa"), "layout": .text("5.1")])
        #expect(remarks.count == 1 && remarks[0].contains("--room /gone/b.sofa is not on this machine"))
    }
}
