import AudioIO
import Desk
import Foundation
import Gate
import Racks
import SavedSessions
import SoundFixtures
import Stages
import Testing

/// Files as the versions of the program have written them (`Corpus`): each is read with all its values. A file of a
/// new form is added; none is changed.
@Suite struct CorpusTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private static let one = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    private static let other = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    private static func path(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Corpus/" + name).path
    }

    /// Reads a session. All of it is understood, and this version writes the same content.
    private func session(_ name: String) throws -> SessionDocument {
        let saved = try #require(try SessionDocument(folder: Self.path(name)))
        #expect(saved.remarks == [] && !saved.isTemplate)
        let folder = try scratch.session("{}")
        try saved.write(to: folder)
        let again = try #require(try SessionDocument(folder: folder))
        #expect(again.options == saved.options && again.state == saved.state)
        #expect(again.links == saved.links && again.used == saved.used)
        #expect(again.scene == saved.scene && again.scenes == saved.scenes)
        #expect(again.trackers == saved.trackers && again.step == SessionDocument.step)
        return saved
    }

    @Test func `A session of the first version has options beside its version`() throws {
        let saved = try session("session-1")
        let input = JSONValue.list([.text("talk=mono")])
        #expect(saved.recipe == ["gain": .text("-3"), "input": input, "layout": .text("5.1")])
        #expect(saved.options == ["input": input] && saved.state == ["gain": .number(-3), "layout": .word("5.1")])
        #expect(saved.links.isEmpty && saved.scene == "a" && saved.step == 0)
    }

    @Test func `A session of the second version's beginning has values, connections and files`() throws {
        let saved = try session("session-2")
        #expect(
            saved.recipe == [
                "hrtf": .text("/sets/one.sofa"), "input": .list([.text("talk=mono,level=-3")]), "layout": .text("5.1"),
                "limiter": .text("lookahead"), "gain": .text("-3"), "slice": .text("128"),
            ])
        // Some choices of the stage were in the state, the others were options.
        #expect(saved.options == ["input": .list([.text("talk=mono,level=-3")])])
        #expect(
            saved.state == [
                "hrtf": .word("/sets/one.sofa"), "layout": .word("5.1"), "limiter": .word("lookahead"),
                "follow": .numbers([1, 0.5, 0]), "gain": .number(-3), "input/main/level": .number(-7.5),
                "input/main/mode": .word("fixed"), "input/main/place": .numbers([30, 0, 0]),
                "input/talk/level": .word("off"), "reference": .word("head"), "slice": .word("128"),
            ])
        #expect(saved.client == "proscenium")
        #expect(
            saved.links == [
                JACKLink(from: "daw:out_1", to: "proscenium:in_FL"),
                JACKLink(from: "proscenium:out_L", to: "system:playback_1"),
            ])
        // A file was named by its path.
        let set = SessionDocument.UsedFile(
            path: "/sets/one.sofa", hash: Self.one, link: "hrtf-one.sofa", named: "/sets/one.sofa")
        #expect(saved.used == ["hrtf": set] && saved.step == 0)
    }

    @Test func `A session with scenes has those that are not heard, and the modes before a comparison`() throws {
        let saved = try session("session-2-scenes")
        #expect(saved.recipe == ["gain": .text("-6"), "input": .list([.text("talk=ring.json")])])
        #expect(
            saved.state == [
                "gain": .number(-6), "compare": .word("bypass"), "input/main/mode": .word("off"),
                "input/main/mode-before": .word("tracked"), "input/talk/mode-before": .word("fixed"),
                "loudspeaker/FL/mute": .word("on"), "monitor-level": .number(-12),
            ])
        #expect(saved.scene == "b")
        #expect(
            saved.scenes == [
                "a": [
                    "gain": .number(0), "hrtf": .word("one.sofa"), "layout": .word("5.1"), "room-name": .word("none"),
                ]
            ])
        #expect(saved.links == [JACKLink(from: "daw:out_1", to: ":in_FL")])
        let set = SessionDocument.UsedFile(
            path: "/sets/one.sofa", hash: Self.one, link: "a-hrtf-one.sofa", named: "one.sofa")
        let ring = SessionDocument.UsedFile(
            path: "/layouts/ring.json", hash: Self.other, link: "input-talk-ring.json", named: "ring.json")
        #expect(saved.used == ["a/hrtf": set, "input:talk": ring])
        #expect(saved.trackers.keys.sorted() == ["osc:9000"] && saved.step == 0)
        #expect(saved.former(but: []) == saved.state.filter { $0.key != "gain" })
    }

    @Test func `A session of the first step has the files that an equaliser names`() throws {
        let saved = try session("session-2-step-1")
        #expect(
            saved.recipe == [
                "headphone-eq": .text("hall.txt"), "head-circumference": .text("58"), "http": .text("8080"),
                "layout": .text("7.1.4"),
            ])
        #expect(
            saved.state == [
                "headphone-eq-file": .word("hall.txt"), "head-circumference": .number(58), "layout": .word("7.1.4"),
                "calibrated-level": .number(83), "headphone-eq": .word("off"), "input/main/dialnorm": .number(-20),
                "input/main/loudness-target": .word("line"), "look-away": .number(-12),
                "loudspeaker/TFL/polarity": .word("on"), "print-bus": .word("on"), "reference-level": .number(79),
            ])
        #expect(saved.used["headphone-eq"]?.parts == ["left.wav": Self.one] && saved.step == 1)
    }

    @Test func `Values of last time are read with those before them`() throws {
        let first = try LastValues(path: Self.path("last-values-1.json"))
        func change(_ before: ParameterValue?, _ after: ParameterValue) -> SessionDifference.Change {
            SessionDifference.Change(before: before, after: after)
        }
        // The first version left the value before out where a loudspeaker came with another layout.
        #expect(
            first.changes == [
                "calibrated-level": change(nil, .number(85)), "dim": change(.word("off"), .word("on")),
                "input/main/level": change(.number(0), .number(-3)),
                "layout": change(.word("stereo"), .word("5.1")),
                "loudspeaker/LFE/mute": change(.word("off"), .word("on")),
            ])
        let compared = try LastValues(path: Self.path("last-values-1-modes.json"))
        #expect(
            compared.changes == [
                "compare": change(.word("off"), .word("bypass")),
                "follow": change(.numbers([1, 1, 1]), .numbers([1, 0, 0])),
                "input/main/mode": change(.word("tracked"), .word("off")),
                "input/main/mode-before": change(nil, .word("fixed")),
            ])
        // The file written again has the same content.
        let copy = scratch("last.json")
        try compared.write(to: copy)
        #expect(try LastValues(path: copy) == compared)
        let text = try String(contentsOfFile: copy, encoding: .utf8)
        #expect(JSONValue(parsing: text)?["modes"] == .object(["main": .text("fixed")]))
    }

    @Test func `Chains are read with states, presets and settings`() throws {
        let folder = Self.path("chains-1")
        let plugins = try SavedChains.requests(in: folder)
        #expect(plugins.map(\.name) == ["amp", "limiter"] && plugins.map(\.place) == ["main", "ears"])
        #expect(plugins.map(\.identifier) == ["http://lv2plug.in/plugins/eg-amp", "urn:x:limiter"])
        #expect(plugins.map(\.isBypassed) == [false, true] && plugins.map(\.isIsolated) == [false, true])
        #expect(plugins.map(\.state) == [folder + "/amp", folder + "/limiter"])
        let absent = try #require(try SavedChains.requests(in: Self.path("chains-1-settings")).first)
        #expect(absent.state == nil && absent.preset == "Warm" && absent.place == "talk/FL")
        #expect(
            absent.controls == [
                .init(symbol: "urn:x:rare#file", value: "/sounds/a=b,c.wav"), .init(symbol: "gain", value: "-3.0"),
            ])
    }
}
