import AudioIO
import AudioInMemory
import Desk
import Foundation
import Loading
import PlantedPlugins
import Racks
import Rendering
import SoundFixtures
import Stages
import Testing
import Waiting

@testable import Session

/// Plugins of a session on a server in memory.
@Suite(.timeLimit(.minutes(10))) struct LivePluginTests {
    private static func rig(_ plugins: [String] = []) async throws -> LiveRig {
        let shelf = try PluginShelf.planted()
        let requests = try plugins.map { try PluginRequest(parsing: $0) }
        let rig = try await LiveRig { settings in
            settings.stage.shelf = shelf
            settings.stage.plugins = requests
        }
        try await rig.patch()
        return rig
    }

    private static let gain = PlantedPlugins.uri("gain")
    private static let delay = PlantedPlugins.uri("delay")

    private static func add(_ words: String, at position: Int? = nil) throws -> SessionCommand {
        .plugin(.add(try PluginRequest(parsing: words), position: position))
    }

    /// Plays until changes of chains are in force and reported.
    private static func settle(_ rig: LiveRig) async {
        for _ in 0..<8 {
            rig.play(seconds: 0.1)
            await rig.clock.advance(by: 0.05)
        }
    }

    @Test func `A chain has 32 plugins at most, by whatever way they come`() async throws {
        let many = (0..<33).map { "main=\(Self.gain),name=g\($0),isolate=no" }
        await #expect(throws: SessionError.self) { _ = try await Self.rig(many) }
        let rig = try await Self.rig(Array(many.dropLast()))
        #expect(await rig.refusal(of: try Self.add(many[32]))?.contains("32 plugins already") == true)
        try await rig.live.end()
    }

    @Test func `A plugin is added, set, bypassed and removed under signal`() async throws {
        let rig = try await Self.rig()
        let before = LiveRig.level(rig.play(seconds: 0.3))
        await rig.done(try Self.add("main=\(Self.gain),name=soft,gain=0.1"))
        await Self.settle(rig)
        #expect(abs(LiveRig.level(rig.play(seconds: 0.3)) - before + 20) < 0.1)
        await rig.done(.plugin(.set("soft", symbol: "gain", value: "0.5")))
        await Self.settle(rig)
        #expect(abs(LiveRig.level(rig.play(seconds: 0.3)) - before + 6.02) < 0.1)
        await rig.done(.plugin(.bypass("soft", nil)))
        await Self.settle(rig)
        #expect(abs(LiveRig.level(rig.play(seconds: 0.3)) - before) < 0.1)
        let status = try #require(await rig.live.status().plugins.first)
        #expect(status.name == "soft" && status.isBypassed && status.place == "main" && status.instances == 2)
        await rig.done(.plugin(.remove("soft")))
        await Self.settle(rig)
        #expect(await rig.live.status().plugins.isEmpty)
        try await rig.live.end()
    }

    @Test func `Latency is told while plugins come and go, and stays under bypass`() async throws {
        let rig = try await Self.rig(["ears=\(Self.delay),name=late"])
        await Self.settle(rig)
        let late = await rig.live.status().latencyFrames
        #expect(late > 0)
        await rig.done(.plugin(.bypass("late", true)))
        await rig.done(try Self.add("FL=\(Self.delay),name=left"))
        await Self.settle(rig)
        #expect(await rig.live.status().latencyFrames == 2 * late)
        await rig.done(.plugin(.remove("late")))
        await Self.settle(rig)
        #expect(await rig.live.status().latencyFrames == late)
        try await rig.live.end()
    }

    @Test func `What cannot be done is refused for its reason`() async throws {
        let rig = try await Self.rig(["main=\(Self.gain)"])
        #expect(await rig.refusal(of: .plugin(.remove("nobody"))) == "there is no plugin 'nobody'; there are gain")
        #expect(
            await rig.refusal(of: try Self.add("nose=\(Self.gain)"))
                == "there is no place 'nose' for a plugin; there are main, FL, FR, ears")
        #expect(await rig.refusal(of: try Self.add("main=urn:none"))?.hasPrefix("there is no plugin urn:none") == true)
        #expect(await rig.refusal(of: try Self.add("main=\(Self.gain),gian=1"))?.contains("no control 'gian'") == true)
        let words = await rig.refusal(of: .plugin(.set("gain", symbol: "gain", value: "loud")))
        #expect(words?.contains("gain=loud is not possible") == true)
        #expect(
            await rig.refusal(of: try Self.add("main=\(PlantedPlugins.uri("twelve"))"))?.contains("12 inputs") == true)
        #expect(await rig.live.status().plugins.count == 1)
        try await rig.live.end()
    }

    @Test func `Chains are saved, changed and taken back`() async throws {
        let folder = try Scratch()
        let rig = try await Self.rig(["main=\(Self.gain),name=a,gain=0.25", "ears=\(Self.delay),name=b,bypass=yes"])
        let path = folder("chains")
        await rig.done(.plugin(.save(path)))
        await rig.done(.plugin(.set("a", symbol: "gain", value: "1")))
        await rig.done(.plugin(.remove("b")))
        await rig.done(.plugin(.load(path)))
        await Self.settle(rig)
        let status = await rig.live.status().plugins
        #expect(status.map(\.name) == ["a", "b"] && status[1].isBypassed)
        #expect(status.first?.controls["gain"] == 0.25)
        let moved = folder("elsewhere")
        try FileManager.default.moveItem(atPath: path, toPath: moved)
        #expect(try SavedChains.requests(in: moved).map(\.identifier) == [Self.gain, Self.delay])
        #expect(await rig.refusal(of: .plugin(.load(folder("none"))))?.contains("no chains") == true)
        try await rig.live.end()
    }

    /// In an earlier version, missing plugins were saved at the end of the chain, and stayed there on a machine that
    /// has them.
    @Test func `Plugins that are missing here keep their places in the chain`() async throws {
        let folder = try Scratch()
        let shelf = try PluginShelf.planted()
        let words = ["\(Self.gain),name=a", "urn:none,name=b", "urn:none,name=c", "\(Self.gain),name=d"]
        let requests = try words.map { try PluginRequest(parsing: "main=" + $0) }
        let rig = try await LiveRig { settings in
            (settings.stage.shelf, settings.stage.plugins, settings.stage.isForgiving) = (shelf, requests, true)
        }
        try await rig.patch()
        rig.play()
        let (first, second, third) = (folder("first"), folder("second"), folder("third"))
        await rig.done(.plugin(.save(first)))
        #expect(try SavedChains.requests(in: first).map(\.name) == ["a", "b", "c", "d"])
        await rig.change(try .set("gain", "-6"))
        await rig.done(.plugin(.save(second)))
        #expect(try SavedChains.requests(in: second).map(\.name) == ["a", "b", "c", "d"])
        await rig.done(.plugin(.remove("a")))
        await rig.done(.plugin(.move("d", to: 0)))
        await rig.done(.history(.undo))
        await rig.done(.history(.undo))
        await rig.done(.plugin(.save(third)))
        #expect(try SavedChains.requests(in: third).map(\.name) == ["a", "b", "c", "d"])
        try await rig.live.end()
    }

    @Test func `A plugin that gives no numbers is named, bypassed, and taken back on command`() async throws {
        let rig = try await Self.rig()
        let before = LiveRig.level(rig.play(seconds: 0.3))
        await rig.done(try Self.add("main=\(PlantedPlugins.uri("not-a-number")),name=bad"))
        for _ in 0..<12 { await Self.settle(rig) }
        #expect(
            await rig.live.status().plugins.first?.fault == "its output had samples that are infinite or not a number")
        #expect(rig.said.notes.contains { $0.contains("plugin bad") && $0.contains("ctl plugin restart bad") })
        #expect(abs(LiveRig.level(rig.play(seconds: 0.3)) - before) < 0.1)
        await rig.done(.plugin(.restart("bad")))
        rig.play(seconds: 0.05)
        #expect(await rig.live.status().plugins.first?.fault == nil)
        try await rig.live.end()
    }

    @Test(arguments: [256, 100])
    func `A plugin that needs whole slices has them, also after a start inside a period`(_ period: Int) async throws {
        let shelf = try PluginShelf.planted()
        let request = try PluginRequest(parsing: "main=\(PlantedPlugins.uri("fixed"))")
        let rig = try await LiveRig(on: MemoryServer(period: period)) { settings in
            settings.stage.shelf = shelf
            settings.stage.plugins = [request]
        }
        try await rig.patch()
        await Self.settle(rig)
        let (live, frame) = (rig.live, rig.server.frame &+ 70)
        async let reply = live.perform(.start(frame: frame))
        _ = await eventually { rig.server.isAskedToStart }
        rig.server.run(seconds: 0.1)
        guard case .started(let begun, _) = await reply else {
            Issue.record("the stream does not start")
            return
        }
        #expect(begun == frame)
        await Self.settle(rig)
        let status = try #require(await rig.live.status().plugins.first)
        #expect(status.readings["kept"] == 1 && status.latency == 64)
        try await rig.live.end()
    }

    @Test func `A plugin that cannot save its state does not remove others from a new stage`() async throws {
        let rig = try await Self.rig(["main=\(Self.gain),name=soft,gain=0.5"])
        rig.play()
        await rig.change(try .set("gain", "-6"))
        await rig.done(try Self.add("main=\(PlantedPlugins.uri("huge-state")),name=huge"))
        await Self.settle(rig)
        await rig.change(try .set("gain", "-3"))
        let status = await rig.live.status().plugins
        #expect(status.map(\.name) == ["soft", "huge"] && status.first?.controls["gain"] == 0.5)
        try await rig.live.end()
    }

    @Test func `A plugin is restarted with its state after the stage was built anew`() async throws {
        let rig = try await Self.rig(["main=\(Self.gain),name=soft,gain=0.5"])
        rig.play()
        await rig.change(try .set("gain", "-6"))
        let rack = await rig.live.stage.assembly.plugins
        let state = try #require(rack.inserts.first?.request.state)
        await rig.done(.plugin(.set("soft", symbol: "gain", value: "0.25")))
        await rig.done(.plugin(.restart("soft")))
        await Self.settle(rig)
        #expect(await rig.live.status().plugins.map { $0.controls["gain"] } == [0.25])
        #expect(FileManager.default.fileExists(atPath: state))
        try await rig.live.end()
    }

    @Test func `Chains outlive a change of the server's rate`() async throws {
        let rig = try await Self.rig(["main=\(Self.gain),name=a,gain=0.25"])
        await rig.done(.plugin(.set("a", symbol: "gain", value: "0.75")))
        rig.server.setRate(44_100)
        try await rig.heard { $0.sampleRate == 44_100 }
        #expect(await rig.live.status().plugins.first?.controls["gain"] == 0.75)
        try await rig.live.end()
    }

    /// After a change of the server's rate the print bus is built after the heard stage.
    @Test func `A plugin that is set while the print bus is prepared anew is set there too`() async throws {
        let (isHeld, isReached, mayGoOn) = (Flag(), Flag(), DispatchSemaphore(value: 0))
        let fields = LiveRig.environment(MemoryServer(), ManualClock(), LiveRig.Said()).fields
        let sets = LiveRig.Sets { settings, rate, says throws(SessionError) in
            // The print has no limiter.
            if isHeld.isRaised, settings.choices.limiter == .off {
                isReached.raise()
                mayGoOn.wait()
            }
            return try fields(settings, rate, says)
        }
        let shelf = try PluginShelf.planted()
        let soft = try PluginRequest(parsing: "main=\(Self.gain),name=soft,gain=0.25")
        let rig = try await LiveRig(
            { settings in
                settings.stage.shelf = shelf
                settings.stage.plugins = [soft]
                settings.stage.limiter = .instant
            }, sets: sets)
        try await rig.patch()
        rig.play()
        await rig.change(try .set("print-bus", "on"))
        isHeld.raise()
        rig.server.setRate(44_100)
        try await rig.heard { $0.sampleRate == 44_100 }
        #expect(await eventually { isReached.isRaised })
        let setting = Task { await rig.done(.plugin(.set("soft", symbol: "gain", value: "0.75"))) }
        try await Task.sleep(for: .milliseconds(100))
        mayGoOn.signal()
        await setting.value
        await rig.settle { await rig.live.staging.wantsPrint }
        let print = await rig.live.stage.print?.plugins
        #expect(print?.inserts.first?.controls["gain"] == 0.75)
        #expect(await rig.live.status().plugins.first?.controls["gain"] == 0.75)
        try await rig.live.end()
    }
}
