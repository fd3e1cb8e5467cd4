import AudioIO
import Foundation
import Gate
import Loading
import Racks
import SavedSessions
import SoundFixtures
import Stages
import Testing
import Waiting

@testable import Session

/// A session that is saved and restored.
@Suite(.timeLimit(.minutes(10))) struct SessionFolderTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func keep(
        _ rig: LiveRig, in path: String, _ options: [String: JSONValue] = [:]
    ) async throws -> SessionFolder {
        let folder = try SessionFolder(
            path, of: rig.live, at: rig.live.environment.desk, options: options
        ) { rig.said.add($0) }
        await folder.open()
        return folder
    }

    private var path: String { scratch("session") }

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
        // The rig has no output limiter. The folder stores this, too.
        #expect(try SessionDocument(folder: path)?.recipe == ["layout": .text("stereo"), "limiter": .text("off")])
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
            (try? SessionDocument(folder: path))??.state["input/main/level"] == .numbers([-20])
        }
        #expect(came)
        try await folder.close()
        try await rig.live.end()
    }

    @Test func aPluginThatIsMissingIsNamedAndKept() async throws {
        let (path, rig) = (path, try await LiveRig())
        var request = PluginRequest(place: "ears", identifier: "urn:nobody:has-this")
        (request.name, request.preset) = ("rare", "Warm")
        request.controls = [.init(symbol: "gain", value: "-3"), .init(symbol: "urn:x#file", value: "/a=b,c")]
        let rack = await rig.live.stage.assembly.plugins
        rack.addWhatThereIs([request], period: 256)
        await rig.clock.advance(by: 0.1)
        #expect(rig.said.notes.contains { $0.contains("urn:nobody:has-this") })
        let folder = try await keep(rig, in: path)
        try await folder.close()
        let kept = try SessionFiles.plugins(in: path)
        #expect(kept.map(\.identifier) == ["urn:nobody:has-this"] && kept.first?.name == "rare")
        #expect(kept.first?.preset == "Warm" && kept.first?.controls == request.controls)
        try await rig.live.end()
    }

    @Test func aSetThatIsNamedTakesThePlaceOfAFile() async throws {
        let (path, rig) = (path, try await LiveRig())
        let set = path + "-set.sofa"
        try Data("a set".utf8).write(to: URL(fileURLWithPath: set))
        let folder = try await keep(rig, in: path)
        await rig.change(try .set("hrtf", set))
        try await folder.save()
        #expect(try SessionDocument(folder: path)?.used["hrtf"]?.path == set)
        await rig.change(try .set("hrtf", "kemar"))
        try await folder.close()
        try await rig.live.end()
        let saved = try #require(try SessionDocument(folder: path))
        #expect(SessionFiles.find(saved, in: path).options["hrtf"] == .text("kemar"))
        #expect(saved.used["hrtf"]?.named != set)
    }

    @Test func scenesComeBackWithTheirChainsAndTheOneThatWasHeardIsHeard() async throws {
        let (path, rig) = (path, try await LiveRig { $0.stage.layout = "5.1" })
        let folder = try await keep(rig, in: path)
        for scene in ["b", "c"] { await rig.change(try .set("scene", scene)) }
        await rig.change(try .set("layout", "stereo"))
        await rig.change(try .set("gain", "-9"))
        await rig.change(try .set("scene", "b"))
        await rig.done(try .set("scene-clear", "a"))
        try await folder.close()
        try await rig.live.end()
        let saved = try #require(try SessionDocument(folder: path))
        #expect(saved.scene == "b" && saved.scenes.keys.sorted() == ["c"])
        #expect(saved.scenes["c"]?["gain"] == .numbers([-9]))
        let folders = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasPrefix("plugins") }
        #expect(folders.sorted() == ["plugins-b", "plugins-c"])

        let again = try await LiveRig { $0.stage.layout = "5.1" }
        let other = try await keep(again, in: path)
        #expect(again.state["scene"] == .word("b") && again.state["scenes"] == .word("bc"))
        #expect(again.state["layout"] == .word("5.1"))
        await again.change(try .set("scene", "c"))
        #expect(again.state["layout"] == .word("stereo") && again.state["gain"] == .numbers([-9]))
        try await other.close()
        try await again.live.end()
        #expect(try SessionDocument(folder: path)?.scene == "c")
    }

    @Test func aSceneThatCannotBeHadHereIsNamedAndKept() async throws {
        let (path, rig) = (path, try await LiveRig())
        let folder = try await keep(rig, in: path)
        await rig.change(try .set("scene", "b"))
        try await folder.close()
        try await rig.live.end()
        var saved = try #require(try SessionDocument(folder: path))
        saved.scenes["a"]?["layout"] = .word("13.1.9")
        try saved.write(to: path)
        let again = try await LiveRig()
        let other = try await keep(again, in: path)
        #expect(again.said.notes.contains { $0.contains("scene a is not here") && $0.contains("13.1.9") })
        await again.done(try .set("level", "-3", of: "main"))
        try await other.close()
        try await again.live.end()
        #expect(try SessionDocument(folder: path)?.scenes["a"]?["layout"] == .word("13.1.9"))
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
