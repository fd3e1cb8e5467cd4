import AudioIO
import Foundation
import Gate
import Loading
import Racks
import SavedSessions
import SeededRandom
import SoundFixtures
import Stages
import Testing

@testable import IMU
@testable import Session

/// What a session's folder holds.
@Suite struct SavedSessionTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// A folder with a `session.json`.
    private func folder(_ json: String) throws -> String {
        let folder = scratch(UUID().uuidString)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(json.utf8).write(to: URL(fileURLWithPath: folder + "/session.json"))
        return folder
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
            let error = #expect(throws: SessionError.self) { try SavedSession(folder: folder) }
            #expect(error?.description.contains(words) == true, "\(String(describing: error))")
            #expect(error?.description.contains(folder) == true)
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end)
            #expect(end.tv_sec - begin.tv_sec < 2, "seconds of work for a refusal")
        }
    }

    @Test func `A value of more numbers than any parameter takes is kept, and is none`() throws {
        let numbers = Array(repeating: "1", count: 65).joined(separator: ",")
        let folder = try folder(#"{"version":2,"state":{"input/main/place":[\#(numbers)],"input/main/level":-3}}"#)
        let saved = try #require(try SavedSession(folder: folder))
        #expect(saved.state == ["input/main/level": .numbers([-3])])
        #expect(saved.remarks.contains { $0.contains("input/main/place") })
    }

    @Test func keysOfOthersAreKept() throws {
        let folder = try folder(#"{"version":2,"options":{},"colour":{"stage":["red",1,null,true]}}"#)
        try #require(try SavedSession(folder: folder)).write(to: folder)
        let text = try String(contentsOfFile: folder + "/session.json", encoding: .utf8)
        #expect(
            JSONValue(parsing: text)?["colour"]?["stage"] == .list([.text("red"), .number(1), .null, .truth(true)]))
    }

    /// What another version may say, wherever it stands, comes back as it was, and all else is read.
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
        let saved = try #require(try SavedSession(folder: folder))
        #expect(saved.options["layout"] == .text("5.1") && saved.state["input/main/level"] == .number(-6))
        #expect(saved.scene == "a" && saved.scenes["b"]?["gain"] == .number(-3) && saved.modes == ["main": "fixed"])
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
            let saved = try #require(try SavedSession(folder: folder))
            #expect(!saved.isTemplate && saved.state.isEmpty && saved.remarks.isEmpty)
            #expect(
                saved.options == [
                    "layout": .text("5.1"), "gain": .number(-3), "input": .list([.text("talk=mono")]),
                    "sparkle": .text("much"),
                ])
            try saved.write(to: folder)
            let now = JSONValue(parsing: try String(contentsOfFile: folder + "/session.json", encoding: .utf8))
            #expect(now?["version"] == .number(2))
            #expect(try SavedSession(folder: folder)?.options == saved.options)
        }
    }

    @Test func optionsAloneAreATemplate() throws {
        let saved = try #require(try SavedSession(folder: folder(#"{"layout":"5.1","gain":-3}"#)))
        #expect(saved.isTemplate && saved.options == ["layout": .text("5.1"), "gain": .number(-3)])
    }

    @Test(arguments: [
        "", "[]", "{", #"{"version":3}"#, #"{"version":0}"#, #"{"version":2,"options":[]}"#,
        #"{"version":2,"state":7}"#, #"{"version":2,"connections":{}}"#, #"{"version":2,"files":[]}"#,
    ])
    func whatIsNoSessionIsRefusedByName(_ json: String) throws {
        let folder = try folder(json)
        let error = #expect(throws: SessionError.self) { _ = try SavedSession(folder: folder) }
        #expect(error?.description.contains("session.json") == true)
    }

    /// Bytes of a session, changed at random: read or refused. Five hundred;
    /// under `PROSCENIUM_SOAK=1` ten minutes of them.
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
        let found = SessionFiles.find(saved, in: folder)
        #expect(found.options == ["hrtf": .text(folder + "/files/hrtf-a.sofa"), "layout": .text("5.1")])
        #expect(
            found.remarks.count == 1 && found.remarks[0].contains("--room /gone/b.sofa is not on this machine")
                && found.remarks[0].contains("without a room"))
    }

    /// The content that was saved counts more than the name.
    @Test func whateverHasTheContentIsTaken() throws {
        let folder = try folder("{}")
        func put(_ text: String, at name: String) throws -> String {
            try FileManager.default.createDirectory(atPath: folder + "/files", withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
            return folder + "/" + name
        }
        let (named, path, link) = (
            try put("other", at: "named.sofa"), try put("set", at: "path.sofa"), try put("other", at: "files/link.sofa")
        )
        var saved = SavedSession()
        saved.options = ["hrtf": .text(named)]
        let hash = try #require(SessionFiles.hash(of: path))
        saved.used = ["hrtf": .init(path: path, hash: hash, link: "link.sofa", named: named)]
        #expect(SessionFiles.find(saved, in: folder).options["hrtf"] == .text(path))
        #expect(SessionFiles.find(saved, in: folder).remarks.isEmpty)
        _ = try put("set", at: "files/link.sofa")
        #expect(SessionFiles.find(saved, in: folder).options["hrtf"] == .text(link))
        _ = try put("set", at: "named.sofa")
        #expect(SessionFiles.find(saved, in: folder).options["hrtf"] == .text(named))
        // Nothing has it: what has the name or the place plays, and that is told.
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

    /// An equaliser's text and the sound that it names are one: both are found with the session,
    /// or the equaliser is none.
    @Test func whatATextNamesIsFoundWithIt() throws {
        let folder = try folder("{}")
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
        var saved = SavedSession()
        saved.options = ["headphone-eq": .text("/gone/eq.txt")]
        var used = SavedSession.UsedFile(
            path: "/gone/eq.txt", hash: try #require(SessionFiles.hash(of: files + "eq.txt")), link: "eq.txt",
            named: "/gone/eq.txt")
        for name in names {
            used.parts[name] = SessionFiles.hash(of: EqualiserResponses.place(of: name, in: files + "eq.txt"))
        }
        saved.used = ["headphone-eq": used]
        try saved.write(to: folder)
        #expect(try SavedSession(folder: folder)?.used == saved.used)
        let whole = SessionFiles.find(saved, in: folder)
        #expect(whole.options["headphone-eq"] == .text(files + "eq.txt") && whole.remarks.isEmpty)
        // Another content is told, and no content at all ends in none.
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
        let folder = try folder("{}")
        var saved = SavedSession()
        saved.options = ["hrtf": .text("rare-set"), "surface": .text("/gone/map.json"), "room": .text("studio")]
        let found = SessionFiles.find(saved, in: folder)
        #expect(found.options == ["room": .text("studio")])
        #expect(found.remarks.contains { $0.contains("--hrtf rare-set") && $0.contains("the default set") })
        #expect(found.remarks.contains { $0.contains("--surface /gone/map.json") && $0.contains("without its map") })
        saved.options = ["hrtf": .text("generated"), "surface": .text("mackie")]
        #expect(SessionFiles.find(saved, in: folder).options == saved.options)
    }

    @Test func aRoomOfManyFilesIsKnownByAllOfThem() throws {
        let folder = try folder("{}")
        let room = folder + "/room"
        try FileManager.default.createDirectory(atPath: room, withIntermediateDirectories: true)
        for yaw in ["0", "30"] { try Data(yaw.utf8).write(to: URL(fileURLWithPath: "\(room)/yaw\(yaw).wav")) }
        let hash = try #require(SessionFiles.hash(of: room))
        try FileManager.default.copyItem(atPath: room, toPath: folder + "/copy")
        #expect(SessionFiles.hash(of: folder + "/copy") == hash)
        try Data("other".utf8).write(to: URL(fileURLWithPath: room + "/yaw30.wav"))
        #expect(SessionFiles.hash(of: room) != hash)
        var saved = SavedSession()
        saved.options = ["room": .text(room)]
        saved.used = ["room": .init(path: folder + "/copy", hash: hash, link: "room", named: room)]
        #expect(SessionFiles.find(saved, in: folder).options["room"] == .text(folder + "/copy"))
    }

    @Test func inputsWhoseLayoutIsMissingAreLeftOutWithWhatTheyFeed() throws {
        let folder = try folder("{}")
        try Data("{}".utf8).write(to: URL(fileURLWithPath: folder + "/ring.json"))
        var saved = SavedSession()
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

    @Test func aFolderIsInOneHand() throws {
        let folder = scratch("session/deep")
        let lock = try SessionLock(folder, by: "film")
        let error = #expect(throws: SessionError.self) { _ = try SessionLock(folder, by: "other") }
        #expect(error?.description.contains("'film', process \(getpid())") == true && error?.mayPass == false)
        lock.release()
        lock.release()
        let next = try SessionLock(folder, by: "other")
        #expect(throws: SessionError.self) { _ = try SessionLock(folder, by: "third") }
        next.release()
        #expect(throws: SessionError.self) { _ = try SessionLock("/dev/null/x", by: "nobody") }
    }

    @Test func whatIsKnownOfTrackersGoesAlong() throws {
        let memory = TrackerMemory(path: scratch("trackers.json"))
        func bias(_ x: Double, _ measured: Double) -> TrackerMemory.Bias {
            TrackerMemory.Bias(GyroscopeBias(value: [x, 0, 0], deviation: [1e-4, 1e-4, 1e-4]), measured: measured)
        }
        try memory.update("mine") { $0 = .init(mounting: [0, 1, 0, 0], bias: bias(0.5, 200)) }
        var saved = SavedSession()
        saved.trackers = ["new": .object(["glow": .number(1)]), "bad": .object(["mounting": .list([.number(7)])])]
        SavedTrackers.merge(
            [
                "new": .init(mounting: [1, 0, 0, 0], bias: bias(0.25, 100)),
                "mine": .init(mounting: [1, 0, 0, 0], bias: bias(0.125, 100)),
            ], into: &saved.trackers)
        #expect(saved.trackers["new"]?["glow"] == .number(1))
        SavedTrackers.bring(saved, to: memory) { Issue.record("\($0)") }
        // What the machine knows itself counts more, unless it was measured before.
        #expect(memory.entry(for: "new") == .init(mounting: [1, 0, 0, 0], bias: bias(0.25, 100)))
        #expect(memory.entry(for: "mine") == .init(mounting: [0, 1, 0, 0], bias: bias(0.5, 200)))
        #expect(memory.entry(for: "bad") == nil)
        SavedTrackers.merge(["mine": .init(bias: bias(0.75, 300))], into: &saved.trackers)
        SavedTrackers.bring(saved, to: memory) { Issue.record("\($0)") }
        #expect(memory.entry(for: "mine") == .init(mounting: [0, 1, 0, 0], bias: bias(0.75, 300)))
    }
}

extension JSONValue {
    /// An object with more in it.
    fileprivate func merging(_ more: [String: JSONValue]) -> JSONValue {
        if case .object(let object) = self { .object(object.merging(more) { $1 }) } else { self }
    }
}
