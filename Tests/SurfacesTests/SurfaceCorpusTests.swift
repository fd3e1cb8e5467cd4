import Foundation
import Gate
import Testing

@testable import Surfaces

/// Maps of control surfaces as the versions of the program have written them (`Corpus`): each is read with all its
/// bindings, and written again as it was.
@Suite struct SurfaceCorpusTests {
    private static func text(_ name: String) throws -> String {
        let corpus = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Corpus")
        return try String(contentsOf: corpus.appendingPathComponent(name), encoding: .utf8)
    }

    private static func map(_ name: String) throws -> SurfaceMap {
        let text = try text(name)
        let map = try SurfaceMap(text: text)
        #expect(JSONValue(parsing: map.text) == JSONValue(parsing: text))
        return map
    }

    @Test func `A map of the first version has its bindings`() throws {
        let map = try Self.map("map-1.json")
        #expect(
            map.bindings.map(\.control) == [
                SurfaceControl(.controller(7), channel: 0), SurfaceControl(.controller(16)),
                SurfaceControl(.note(36), channel: 15), SurfaceControl(.pair(1)),
            ])
        #expect(map.bindings.map(\.address) == ["input/main/level", "place", "mode", "drc-cut"])
        #expect(map.bindings[1].relative == .signBit && map.bindings[1].step == 0.5 && map.bindings[1].part == "yaw")
        #expect(map.bindings[1].picksUp && !map.bindings[2].givesFeedback && map.bindings[2].value == ["fixed"])
        #expect(map.bindings[3].from == 0 && map.bindings[3].to == 0.5)
        #expect(map.bindings[3].touch == SurfaceControl(.note(104)))
        #expect(map.kept == ["device": .text("BCF2000")] && map.mackie == nil)
    }

    @Test func `A map of the first version has the strips of a Mackie Control`() throws {
        let mackie = try #require(try Self.map("map-1-mackie.json").mackie)
        let strip = try #require(mackie.strips.first)
        #expect(strip.name == "Main" && strip.fader == "input/main/level" && strip.mute == "input/main/mute")
        #expect(strip.knobs == [MackieMap.Knob("input/main/place", part: "yaw", step: 1)])
        #expect(mackie.master == "monitor-level" && mackie.buttons["play"]?.address == "resume")
    }
}
