import AudioIO
import Foundation
import Testing

@testable import PluginHost
@testable import Session

/// A session that is kept, and comes back.
@Suite(.timeLimit(.minutes(5))) struct SessionFolderTests {
    private func keep(
        _ rig: LiveRig, in path: String, _ options: [String: JSONValue] = [:]
    ) async throws -> SessionFolder {
        let folder = try SessionFolder(
            path, of: rig.live, at: rig.live.environment.desk, options: options, files: ["hrtf"]
        ) { rig.said.add($0) }
        await folder.open()
        return folder
    }

    private var path: String { NSTemporaryDirectory() + "session-\(UUID().uuidString)" }

    @Test func valuesAndConnectionsComeBack() async throws {
        let (path, rig) = (path, try await LiveRig())
        let folder = try await keep(rig, in: path, ["layout": .text("stereo")])
        try await rig.patch()
        await rig.done(try .set("level", "-7.5", of: "main"))
        await rig.done(try .set("mode", "fixed", of: "main"))
        try await folder.close()
        try await rig.live.end()

        let again = try await LiveRig()
        let other = try await keep(again, in: path)
        #expect(again.state["input/main/level"] == .numbers([-7.5]))
        #expect(again.state["input/main/mode"] == .word("fixed"))
        #expect(Set(await again.live.links.map(\.from)).contains("daw:out_1"))
        #expect(await again.live.links.count == 4)
        try await other.close()
        // The rig has no guard, which the folder notes too.
        #expect(try SavedSession(folder: path)?.options == ["layout": .text("stereo"), "limiter": .text("off")])
        try await again.live.end()
    }

    @Test func whatIsTypedCountsMoreThanWhatWasSaved() async throws {
        let (path, rig) = (path, try await LiveRig())
        let folder = try await keep(rig, in: path)
        await rig.done(try .set("level", "-7.5", of: "main"))
        try await folder.close()
        try await rig.live.end()
        let again = try await LiveRig()
        let other = try await keep(again, in: path, ["level": .text("0")])
        #expect(again.state["input/main/level"] == .numbers([0]))
        try await other.close()
        try await again.live.end()
    }

    @Test func aChangeIsSavedWithoutAWord() async throws {
        let (path, rig) = (path, try await LiveRig())
        let folder = try await keep(rig, in: path)
        await rig.done(try .set("level", "-20", of: "main"))
        let came = await eventually {
            (try? SavedSession(folder: path))??.state["input/main/level"] == .numbers([-20])
        }
        #expect(came)
        try await folder.close()
        try await rig.live.end()
    }

    @Test func aPluginThatIsMissingIsNamedAndKept() async throws {
        let (path, rig) = (path, try await LiveRig())
        var request = PluginRequest(place: "ears", identifier: "urn:nobody:has-this")
        request.name = "rare"
        let rack = await rig.live.stage.assembly.plugins
        rack.addWhatThereIs([request], period: 256)
        await rig.clock.advance(by: 0.1)
        #expect(rig.said.notes.contains { $0.contains("urn:nobody:has-this") })
        let folder = try await keep(rig, in: path)
        try await folder.close()
        let kept = try SessionFiles.plugins(in: path)
        #expect(kept.map(\.identifier) == ["urn:nobody:has-this"] && kept.first?.name == "rare")
        try await rig.live.end()
    }

    @Test func aFolderThatCannotBeWrittenIsTold() async throws {
        let (path, rig) = (path, try await LiveRig())
        let folder = try await keep(rig, in: path)
        try await folder.save()
        try FileManager.default.removeItem(atPath: path)
        let error = await #expect(throws: SessionError.self) { try await folder.save() }
        #expect(error?.description.contains(path) == true)
        try await rig.live.end()
    }
}
