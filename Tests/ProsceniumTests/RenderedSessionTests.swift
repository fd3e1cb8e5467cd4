import AbsentPlaces
import Foundation
import Racks
import SavedSessions
import SoundFixtures
import Stages
import Testing

@testable import proscenium

/// The values and plugins that `render --session` takes from a saved session, in addition to the options.
@Suite struct RenderedSessionTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Returns a folder with a `session.json`.
    private func folder(_ json: String) throws -> String {
        let folder = scratch(UUID().uuidString)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(json.utf8).write(to: URL(fileURLWithPath: folder + "/session.json"))
        return folder
    }

    private func session(_ folder: String, _ typed: String...) throws -> RenderedSession {
        let words = ["render", "a.wav", "b.wav", "--session", folder] + typed
        let parsed = try Defaults.parse(words, config: AbsentPlace.path(), asks: false) { _ in }
        let command = try #require(parsed as? RenderCommand)
        return try RenderedSession(folder: folder, command.stage.plugins, typed: TypedOptions(words))
    }

    private func values(of session: RenderedSession) -> [String] {
        session.values.map { value in
            ([value.input, value.parameter.id].compactMap(\.self) + value.value.written).joined(separator: " ")
        }
    }

    @Test func `Values are those of the session, modes those before a comparison, and the rest is named`() throws {
        let saving = try folder(
            #"""
            {"version":2,"step":1,"options":{"layout":"5.1","input":["talk=mono"]},"modes":{"main":"fixed"},
            "state":{"compare":"bypass","dim":"on","input/main/level":-20,"input/main/mode":"off",
            "input/main/drc":"roaring","input/talk/level":-3,"loudspeaker/FC/mute":"on"}}
            """#)
        let saved = try session(saving)
        #expect(
            values(of: saved) == [
                "compare bypass", "dim on", "main level -20", "main mode fixed", "FC loudspeaker-mute on",
            ])
        #expect(saved.plugins == nil && saved.remarks.count == 2)
        #expect(saved.remarks.contains { $0.hasPrefix("input 'talk' is left out") })
        #expect(saved.remarks.contains { $0.hasPrefix("input/main/drc roaring cannot be applied here") })
        let typed = try session(saving, "--level=-6", "--mode", "tracked")
        #expect(values(of: typed) == ["compare bypass", "dim on", "FC loudspeaker-mute on"])
    }

    @Test func `Saved chains come with the typed plugins`() throws {
        let saving = try folder(#"{"version":2,"step":1,"options":{}}"#)
        try FileManager.default.createDirectory(atPath: saving + "/plugins", withIntermediateDirectories: true)
        let plugin = #"{"name": "amp", "place": "main", "identifier": "urn:x/amp"}"#
        try Data("{\"plugins\": [\(plugin)], \"version\": 1}".utf8).write(
            to: URL(fileURLWithPath: saving + "/plugins/chains.json"))
        #expect(try session(saving).plugins?.map(\.name) == ["amp"])
        #expect(try session(saving, "--plugin=main=urn:x/delay,name=delay").plugins?.map(\.name) == ["amp", "delay"])
        let byHand = try folder(#"{"layout": "5.1", "level": -3}"#)
        let template = try session(byHand)
        #expect(template.values.isEmpty && template.plugins == nil && template.remarks.isEmpty)
    }
}
