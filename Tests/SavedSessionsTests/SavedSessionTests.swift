import AudioIO
import Desk
import Foundation
import Gate
import Loading
import SavedSessions
import SeededRandom
import SoundFixtures
import Stages
import Testing

/// Session folders: what is written, read, kept and refused.
@Suite struct SavedSessionTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Returns a folder with a `session.json`.
    private func folder(_ json: String) throws -> String { try scratch.session(json) }

    @Test func whatIsWrittenIsRead() throws {
        let folder = try folder("{}")
        var saved = SessionDocument()
        saved.state = [
            "input/main/level": .numbers([-3]), "reference": .word("head"), "follow": .numbers([1, 0.5, 0]),
        ]
        saved.take(options: ["layout": .text("5.1"), "input": .list([.text("bell=mono")]), "slice": .number(128)])
        #expect(saved.state["slice"] == .word("128") && saved.options.keys.sorted() == ["input"])
        (saved.client, saved.links) = ("proscenium", [JACKLink(from: "a:b", to: "proscenium:in_FL")])
        saved.used = ["hrtf": .init(path: "/sets/one.sofa", hash: "00ff", link: "hrtf-one.sofa", named: "one.sofa")]
        try saved.write(to: folder)
        #expect(try SessionDocument(folder: folder) == saved)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["session.json"])
    }

    @Test func `A file that cannot be renamed leaves no draft`() throws {
        let folder = try folder("{}")
        try FileManager.default.removeItem(atPath: folder + "/session.json")
        try FileManager.default.createDirectory(atPath: folder + "/session.json", withIntermediateDirectories: false)
        #expect(throws: SessionError.self) { try SessionDocument().write(to: folder) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["session.json"])
    }

    @Test func `What an undo cleared is dropped, and what is missing here stays`() {
        var saved = SessionDocument()
        // The input FL is not here; a loudspeaker of its name is.
        let kept = ["input/FL/dialnorm", "input/main/drc", "input/main/level", "yaw-pull"]
        let cleared = [
            "input/main/dialnorm", "input/FL/mode-before", "calibrated-level", "reference-level", "plugin/eq/set/gain",
        ]
        for address in kept + cleared { saved.state[address] = .number(-20) }
        saved.dropCleared(["input/main/level": .number(-3), "loudspeaker/FL/mute": .word("off")]) {
            $0 == "input/main/drc"
        }
        #expect(saved.state.keys.sorted() == kept.sorted())
    }

    @Test func `A list, a text, or a depth beyond what any session has is refused before it is read`() throws {
        let ones = "[1" + String(repeating: ",1", count: 999_999) + "]"
        let lists =
            "[" + (0..<10).map { _ in "[1" + String(repeating: ",1", count: 9999) + "]" }.joined(separator: ",") + "]"
        let hostile = [
            (#"{"version":2,"state":{"input/main/place":\#(ones)}}"#, "more than 16384 entries"),
            (
                #"{"version":2,"options":{"layout":"\#(String(repeating: "x", count: 100_000))"}}"#,
                "longer than 65536 bytes"
            ),
            (#"{"version":2,"other":\#(lists)}"#, "more than 65536 values"),
            (String(repeating: #"{"a":"#, count: 1000), "nested more than 16 deep"),
            (String(repeating: " ", count: 5_000_000), "longer than 4194304 bytes"),
        ]
        for (text, words) in hostile {
            let folder = try folder(text)
            var (begin, end) = (timespec(), timespec())
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin)
            let error = #expect(throws: SessionError.self) { try SessionDocument(folder: folder) }
            #expect(error?.description.contains(words) == true, "\(String(describing: error))")
            #expect(error?.description.contains(folder) == true)
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end)
            #expect(end.tv_sec - begin.tv_sec < 2, "seconds of work for a refusal")
        }
    }

    @Test func `A value of more numbers than any parameter takes is kept, and is none`() throws {
        let numbers = Array(repeating: "1", count: 65).joined(separator: ",")
        let folder = try folder(#"{"version":2,"state":{"input/main/place":[\#(numbers)],"input/main/level":-3}}"#)
        let saved = try #require(try SessionDocument(folder: folder))
        #expect(saved.state == ["input/main/level": .numbers([-3])])
        #expect(saved.remarks.contains { $0.contains("input/main/place") })
    }

    @Test func keysOfOthersAreKept() throws {
        let folder = try folder(#"{"version":2,"options":{},"colour":{"stage":["red",1,null,true]}}"#)
        try #require(try SessionDocument(folder: folder)).write(to: folder)
        let text = try String(contentsOfFile: folder + "/session.json", encoding: .utf8)
        #expect(
            JSONValue(parsing: text)?["colour"]?["stage"] == .list([.text("red"), .number(1), .null, .truth(true)]))
    }

    /// Entries of another version are written back unchanged, wherever they stand; all other entries are read.
    @Test func whatIsNotUnderstoodIsToldAndKept() throws {
        let text = #"""
            {"version":2,"colour":"red","options":{"layout":"5.1","sparkle":{"much":3}},
            "state":{"input/main/level":-6,"input/main/mode":{"a":1},"sparkle":3},"scene":"q",
            "scenes":{"b":{"gain":-3,"hrtf":{"x":1},"sparkle":1},"q":{"gain":1}},
            "connections":[["a:b",":in_FL"],["a"],{"from":"x"}],"modes":{"main":"fixed","talk":7},
            "trackers":{"t1":{"mounting":[1,0,0,0],"glow":1}},
            "files":{"hrtf":{"path":"x","sha256":"y","link":"../../etc/passwd"},
            "room":{"path":"/r","sha256":"00","link":"r","named":"/r","licence":"free"}}}
            """#
        let folder = try folder(text)
        let saved = try #require(try SessionDocument(folder: folder))
        #expect(saved.state["layout"] == .word("5.1") && saved.state["input/main/level"] == .number(-6))
        #expect(saved.scene == "a" && saved.scenes["b"]?["gain"] == .number(-3))
        #expect(saved.state["input/main/mode-before"] == .word("fixed"))
        #expect(saved.links == [JACKLink(from: "a:b", to: ":in_FL")] && saved.used.keys.sorted() == ["room"])
        for said in [
            "state/input/main/mode", "state/sparkle", "scene/\"q\"", "scenes/q", "scenes/b/hrtf", "files/hrtf",
        ] {
            #expect(saved.remarks.contains { $0.contains("'\(said)'") }, "\(said): \(saved.remarks)")
        }
        try saved.write(to: folder)
        let again = JSONValue(parsing: try String(contentsOfFile: folder + "/session.json", encoding: .utf8))
        #expect(again == JSONValue(parsing: text)?.merging(["client": .text(""), "step": .number(1)]))
    }

    @Test func aSessionOfTheFirstVersionIsRead() throws {
        for text in [
            #"{"version": 1, "layout": "5.1", "gain": -3, "input": ["talk=mono"], "sparkle": "much"}"#,
            #"{"version": 1, "options": {"layout": "5.1", "gain": -3, "input": ["talk=mono"], "sparkle": "much"}}"#,
        ] {
            let folder = try folder(text)
            let saved = try #require(try SessionDocument(folder: folder))
            #expect(!saved.isTemplate && saved.remarks.isEmpty)
            #expect(saved.options == ["input": .list([.text("talk=mono")]), "sparkle": .text("much")])
            #expect(saved.state == ["layout": .word("5.1"), "gain": .number(-3)])
            try saved.write(to: folder)
            let now = JSONValue(parsing: try String(contentsOfFile: folder + "/session.json", encoding: .utf8))
            #expect(now?["version"] == .number(2))
            let again = try #require(try SessionDocument(folder: folder))
            #expect(again.options == saved.options && again.state == saved.state)
        }
    }

    @Test func optionsAloneAreATemplate() throws {
        let saved = try #require(try SessionDocument(folder: folder(#"{"layout":"5.1","gain":-3}"#)))
        #expect(saved.isTemplate && saved.recipe == ["layout": .text("5.1"), "gain": .text("-3")])
    }

    @Test func `A choice that this version does not take is kept as an option until it is set`() throws {
        let text = #"""
            {"version":2,"options":{"gain":"loud","limiter":{"x":1}},"state":{"gain":-3,"slice":"256"}}
            """#
        let folder = try folder(text)
        var saved = try #require(try SessionDocument(folder: folder))
        #expect(saved.recipe == ["gain": .text("loud"), "limiter": .object(["x": .number(1)]), "slice": .text("256")])
        #expect(saved.former(but: []).isEmpty)
        let now: SessionValues = ["gain": .number(0), "limiter": .word("instant"), "slice": .word("256")]
        var standing = saved.standing(for: now, refused: [])
        saved.take(now, &standing)
        #expect(saved.recipe["gain"] == .text("loud") && saved.recipe["limiter"]?["x"] == .number(1))
        saved.take(now.merging(["gain": .number(-6), "limiter": .word("off")]) { $1 }, &standing)
        #expect(saved.recipe == ["gain": .text("-6"), "limiter": .text("off"), "slice": .text("256")])
        // A default that is set needs no entry.
        saved.take(now.merging(["slice": .word("64")]) { $1 }, &standing)
        #expect(saved.recipe.isEmpty && standing.values.isEmpty)
    }

    @Test func `Saved choices that are not in force move with their scene`() {
        var saved = SessionDocument()
        saved.take(options: ["hrtf": .text("rare-set"), "room": .text("studio")])
        saved.used = ["hrtf": .init(path: "/rare.sofa", hash: "00ff", link: "hrtf-rare.sofa", named: "rare-set")]
        let now: SessionValues = ["hrtf": .word("default"), "room-name": .word("studio")]
        var standing = saved.standing(for: now, refused: [])
        #expect(standing.values == ["hrtf": .word("default")])
        saved.turn(to: "b", &standing)
        saved.take(now, &standing)
        saved.take(scenes: ["a": now], unbuilt: [], &standing)
        #expect(saved.recipe == ["room": .text("studio")] && saved.scene == "b")
        #expect(saved.scenes == ["a": ["hrtf": .word("rare-set"), "room-name": .word("studio")]])
        #expect(saved.used.keys.sorted() == ["a/hrtf"])
        saved.turn(to: "a", &standing)
        saved.take(now, &standing)
        saved.take(scenes: ["b": now], unbuilt: [], &standing)
        #expect(saved.recipe == ["hrtf": .text("rare-set"), "room": .text("studio")])
        #expect(saved.scenes == ["b": now])
    }

    @Test(arguments: [
        "", "[]", "{", #"{"version":3}"#, #"{"version":0}"#, #"{"version":2,"options":[]}"#,
        #"{"version":2,"state":7}"#, #"{"version":2,"connections":{}}"#, #"{"version":2,"files":[]}"#,
    ])
    func whatIsNoSessionIsRefusedByName(_ json: String) throws {
        let folder = try folder(json)
        let error = #expect(throws: SessionError.self) { _ = try SessionDocument(folder: folder) }
        #expect(error?.description.contains("session.json") == true)
    }

    /// Files with random damage are read or refused: 500 files, with `PROSCENIUM_SOAK=1` ten minutes of them.
    @Test(.timeLimit(.minutes(30))) func damagedFilesHarmNobody() throws {
        let isSoak = ProcessInfo.processInfo.environment["PROSCENIUM_SOAK"] == "1"
        let end = ContinuousClock.now + .seconds(600)
        var chance = SplitMix(state: 15)
        var saved = SessionDocument()
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
                // A part of the file is copied to its end, and the end is cut off.
                let (from, to) = (Int.random(in: 0..<bytes.count, using: &chance), bytes.count)
                bytes.append(contentsOf: bytes[from..<min(to, from + Int.random(in: 0..<200, using: &chance))])
                bytes.removeLast(Int.random(in: 0..<bytes.count, using: &chance))
            }
            try Data(bytes).write(to: URL(fileURLWithPath: folder + "/session.json"))
            do throws(SessionError) { _ = try SessionDocument(folder: folder) } catch { refused += 1 }
        }
        #expect(refused > count / 5)
        if isSoak { print("saved sessions: \(count) damaged files, \(refused) refused, the others read") }
    }
}

extension JSONValue {
    /// Returns an object with more members.
    fileprivate func merging(_ more: [String: JSONValue]) -> JSONValue {
        if case .object(let object) = self { .object(object.merging(more) { $1 }) } else { self }
    }
}
