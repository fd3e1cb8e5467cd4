import AudioIO
import AudioInMemory
import Desk
import Foundation
import Loading
import PlantedPlugins
import Racks
import Signal
import SoundFixtures
import Stages
import Testing
import Waiting

@testable import Session

/// A server that stops during a session and comes back.
@Suite(.timeLimit(.minutes(10))) struct LiveRecoveryTests {
    /// Stops the server and brings it back at a rate; `away` runs in between.
    private static func restart(
        _ rig: LiveRig, at rate: SampleRate = .studio, period: Int = 256, withPlayer: Bool = true,
        away: () async throws -> Void = {}
    ) async throws {
        rig.server.shutDown()
        try await rig.heard { $0.serverGoneFor != nil }
        await rig.clock.advance(by: 1)
        try await away()
        rig.server.comeBack(sampleRate: rate, period: period)
        if withPlayer { rig.server.addClient("daw", outputs: (1...8).map { "out_\($0)" }) }
        try await rig.comesBack()
    }

    @Test func `What needs a stage built anew is undone when the server is back, not lost`() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        rig.play()
        await rig.change(try .set("gain", "-6"))
        try await Self.restart(rig) {
            #expect(await rig.refusal(of: .history(.undo))?.contains("ask again when it is back") == true)
        }
        rig.play()
        await rig.change(.history(.undo))
        #expect(rig.state["gain"] == .numbers([0]))
        try await rig.live.end()
    }

    @Test func `A server that comes back finds the session as it was`() async throws {
        let shelf = try PluginShelf.planted()
        let request = try PluginRequest(parsing: "main=\(PlantedPlugins.uri("gain")),name=soft,gain=0.5")
        let rig = try await LiveRig { settings in
            (settings.stage.shelf, settings.stage.plugins) = (shelf, [request])
        }
        try await rig.patch()
        rig.play()
        let rate = try #require(SampleRate(hertz: 44_100))
        try await Self.restart(rig, at: rate, period: 512) {
            await rig.done(try .set("level", "-10", of: "main"))
            await rig.done(.plugin(.set("soft", symbol: "gain", value: "0.25")))
        }
        let status = await rig.live.status()
        #expect(status.sampleRate == 44_100 && status.period == 512 && status.playback.state == "playing")
        #expect(abs(status.programmes[0].level + 10) < 1e-4)
        #expect(status.plugins.map(\.name) == ["soft"] && status.plugins[0].controls["gain"] == 0.25)
        #expect(rig.server.links.count == 4)
        #expect(LiveRig.level(rig.play(seconds: 0.5)) > -70)
        #expect(
            rig.said.notes.first
                == "the JACK server is gone: it shut down; the session continues when the server is back")
        #expect(rig.said.notes.count == 2 && rig.said.notes[1].hasPrefix("the JACK server is back after "))
        #expect(rig.said.notes.last?.hasSuffix(" s, at 44100 Hz and 512 frames") == true)
        try await rig.live.end()
        #expect(rig.server.clients == ["system", "daw"])
    }

    @Test(arguments: [false, true])
    func `A plugin whose loudspeaker the layout lacks is kept, and the session goes on`(isOfRate: Bool) async throws {
        let shelf = try PluginShelf.planted()
        let request = try PluginRequest(parsing: "SL=\(PlantedPlugins.uri("gain")),name=side,gain=0.5")
        let rig = try await LiveRig { settings in
            settings.stage.layout = "5.1"
            (settings.stage.shelf, settings.stage.plugins) = (shelf, [request])
        }
        try await rig.patch()
        rig.play()
        await rig.done(.plugin(.set("side", symbol: "gain", value: "0.25")))
        await rig.change(try .set("layout", "stereo"))
        if isOfRate {
            rig.server.setRate(44_100)
        } else {
            try await Self.restart(rig, at: try #require(SampleRate(hertz: 44_100)))
        }
        try await rig.heard { $0.sampleRate == 44_100 && $0.serverGoneFor == nil }
        #expect(await rig.live.status().plugins.isEmpty)
        rig.play()
        await rig.change(try .set("layout", "5.1"))
        #expect(rig.state["plugin/side/set/gain"] == .numbers([0.25]))
        try await rig.live.end()
    }

    @Test(arguments: [false, true])
    func `While a stage is built for the server that is back, commands are answered and none is lost`(
        isOfRate: Bool
    ) async throws {
        let (server, clock, said) = (MemoryServer(), ManualClock(), LiveRig.Said())
        let (isHeld, mayGoOn) = (Flag(), DispatchSemaphore(value: 0))
        var environment = LiveRig.environment(server, clock, said)
        let fields = environment.fields
        environment.fields = { settings, rate, says throws(SessionError) in
            if isHeld.isRaised { mayGoOn.wait() }
            return try fields(settings, rate, says)
        }
        var settings = LiveSettings(stage: StageSettings(layout: "stereo"))
        settings.stage.shelf = try PluginShelf.planted()
        settings.stage.plugins = [try PluginRequest(parsing: "main=\(PlantedPlugins.uri("gain")),name=soft,gain=0.5")]
        let live = try await LiveSession(settings, in: environment)
        isHeld.raise()
        if isOfRate {
            server.setRate(44_100)
        } else {
            server.shutDown()
            #expect(await eventually { await live.status().serverGoneFor != nil })
            server.comeBack(sampleRate: try #require(SampleRate(hertz: 44_100)), period: 256)
            await clock.advance(by: 1)
        }
        #expect(await eventually { await live.outage?.isBuilding == true })
        // Each command is answered at once, or when the stage is ready.
        if case .refused(let why) = await live.perform(try .set("level", "-10", of: "main")) { Issue.record("\(why)") }
        guard case .refused(let why) = await live.perform(try .set("gain", "-6")) else {
            Issue.record("a stage is built anew beside one that is being built")
            return
        }
        #expect(why.contains("being prepared anew"))
        let asking = Task { await live.perform(.plugin(.set("soft", symbol: "gain", value: "0.25"))) }
        await clock.advance(by: 5)
        #expect(await live.status().sampleRate == 48_000)
        #expect(server.clients.filter { $0 == "proscenium" }.count == 1)
        mayGoOn.signal()
        #expect(await eventually { await live.status().sampleRate == 44_100 })
        if case .refused(let why) = await asking.value { Issue.record("\(why)") }
        let status = await live.status()
        #expect(abs(status.programmes[0].level + 10) < 1e-4)
        #expect(status.plugins.map { $0.controls["gain"] } == [0.25])
        #expect(said.all.last == .ready)
        // A session that ends during a build leaves no client behind.
        server.setRate(48_000)
        #expect(await eventually { await live.outage?.isBuilding == true })
        try await live.end()
        mayGoOn.signal()
        #expect(await eventually { !server.clients.contains("proscenium") })
    }

    @Test func `A server that goes while a stage is built for it is waited for, and blamed for nothing`() async throws {
        let (server, clock, said) = (MemoryServer(), ManualClock(), LiveRig.Said())
        let (isHeld, mayGoOn) = (Flag(), DispatchSemaphore(value: 0))
        var environment = LiveRig.environment(server, clock, said)
        let fields = environment.fields
        environment.fields = { settings, rate, says throws(SessionError) in
            if isHeld.isRaised { mayGoOn.wait() }
            return try fields(settings, rate, says)
        }
        let live = try await LiveSession(LiveSettings(stage: StageSettings(layout: "stereo")), in: environment)
        isHeld.raise()
        server.shutDown()
        #expect(await eventually { await live.status().serverGoneFor != nil })
        server.comeBack()
        await clock.advance(by: 1)
        #expect(await eventually { await live.outage?.isBuilding == true })
        server.shutDown()
        mayGoOn.signal()
        #expect(await eventually { await live.outage?.isBuilding == false })
        #expect(await live.status().serverGoneFor != nil)
        server.comeBack()
        mayGoOn.signal()
        #expect(
            await eventually {
                await clock.advance(by: 1)
                return await live.status().serverGoneFor == nil
            })
        #expect(!said.notes.contains { $0.contains("cannot play yet") })
        try await live.end()
    }

    @Test func `It comes back again and again, and sound comes back without a step`() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        for _ in 0..<20 {
            try await Self.restart(rig)
            let ears = rig.play(seconds: 0.2)
            #expect(LiveRig.level(ears) > -40)
            // The sound fades in from silence over 5 ms, and has its level after 20 ms at the latest.
            #expect(ears[0][..<16].allSatisfy { abs($0) < 1e-4 })
            #expect(ears[0][960..<1920].contains { abs($0) > 0.01 })
        }
        #expect(rig.server.links.count == 4)
        try await rig.live.end()
    }

    @Test func `Connections whose other ends come later are made then, and once`() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        try await Self.restart(rig, withPlayer: false)
        #expect(rig.server.links.map(\.to) == ["system:playback_1", "system:playback_2"])
        // The server is stopped once more before the player is back.
        try await Self.restart(rig, withPlayer: false)
        rig.server.addClient("daw", outputs: (1...8).map { "out_\($0)" })
        await rig.clock.advance(by: 1)
        #expect(rig.server.links.count == 4)
        // Connections that have settled belong to the user: the session does not restore them.
        await rig.clock.advance(by: ReturningConnections.settling + 1)
        rig.server.disconnect("daw:out_1", from: "proscenium:in_FL")
        await rig.clock.advance(by: 2)
        #expect(rig.server.links.count == 3)
        try await rig.live.end()
    }

    @Test func `A card that is set up once more while the server comes back is connected once more`() async throws {
        let rig = try await LiveRig()
        rig.server.addClient("phones", inputs: ["left", "right"])
        for (ear, port) in [("L", "left"), ("R", "right")] {
            try #require(rig.server.connect("proscenium:out_\(ear)", to: "phones:\(port)"))
        }
        try await rig.heard { $0.playback.state == "playing" && $0.playback.right == ["phones:right"] }
        rig.server.shutDown()
        try await rig.heard { $0.serverGoneFor != nil }
        rig.server.comeBack()
        rig.server.addClient("phones", inputs: ["left", "right"])
        await rig.clock.advance(by: 1)
        try await rig.heard { $0.playback.state == "playing" && $0.playback.right == ["phones:right"] }
        // The card's session manager removes it, and adds it again.
        rig.server.removeClient("phones")
        try await rig.heard { $0.playback.state == "held" }
        rig.server.addClient("phones", inputs: ["left", "right"])
        await rig.clock.advance(by: 1)
        try await rig.heard { $0.playback.state == "playing" && $0.playback.right == ["phones:right"] }
        try await rig.live.end()
    }

    @Test func `Recordings go on in files of their own`() async throws {
        let scratch = try Scratch()
        let rig = try await LiveRig { settings in
            settings.record = scratch("ears.wav")
            settings.recordMotion = scratch("ride.log")
        }
        try await rig.patch()
        var heard = [rig.play(seconds: 0.3)]
        for _ in 0..<2 {
            try await Self.restart(rig)
            heard.append(rig.play(seconds: 0.2))
        }
        try await rig.live.end()
        #expect(
            scratch.contents == ["ears-2.wav", "ears-3.wav", "ears.wav", "ride-2.log", "ride-3.log", "ride.log"])
        for (name, ears) in zip(["ears.wav", "ears-2.wav", "ears-3.wav"], heard) {
            #expect(try WholeSound.read(scratch(name)) == ears)
        }
    }

    @Test func `A stage that is refused is tried again, and said once`() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        rig.server.shutDown()
        try await rig.heard { $0.serverGoneFor != nil }
        var refusals = MemoryServer.Refusals()
        refusals.activation = .notActivated(step: "activate the client", detail: "not yet")
        rig.server.refuse(refusals)
        rig.server.comeBack()
        #expect(
            await eventually {
                await rig.clock.advance(by: 1)
                return rig.said.notes.contains { $0.contains("the stage cannot play yet") }
            })
        await rig.clock.advance(by: 10)
        #expect(await rig.live.status().serverGoneFor != nil)
        #expect(rig.said.notes.count { $0.contains("the stage cannot play yet") } == 1)
        rig.server.refuse(MemoryServer.Refusals())
        #expect(
            await eventually {
                await rig.clock.advance(by: 1)
                return await rig.live.status().serverGoneFor == nil
            })
        #expect(rig.server.links.count == 2)
        try await rig.live.end()
    }

    @Test func `Ears that were muted before are muted after`() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        rig.server.disconnect("proscenium:out_L", from: "system:playback_1")
        try await rig.heard { $0.playback.state == "held" }
        await rig.clock.advance(by: StandingConnections.grace + 1)
        try await Self.restart(rig)
        #expect(await rig.live.status().playback.state == "held")
        #expect(rig.play().joined().allSatisfy { $0 == 0 })
        await rig.done(.playback(.resume))
        #expect(LiveRig.level(rig.play()) > -60)
        try await rig.live.end()
    }

    @Test func `A server that takes the ears away before it says that it dies leaves nothing held`() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        let ears = rig.server.links.filter { $0.from.hasPrefix("proscenium:") }
        rig.server.tell(.routeLost(ears), to: "proscenium")
        try await rig.heard { $0.playback.state == "held" }
        rig.server.shutDown()
        try await rig.heard { $0.serverGoneFor != nil && $0.playback.state == "playing" }
        // Longer than the time in which a patchbay may reconnect the ears.
        await rig.clock.advance(by: RouteLossPolicy.patching + 5)
        rig.server.comeBack()
        try await rig.comesBack()
        try await rig.heard { $0.playback.state == "playing" }
        try await rig.live.end()
    }

    @Test func `A session that waits for a server can be ended`() async throws {
        let rig = try await LiveRig()
        rig.server.shutDown()
        try await rig.heard { $0.serverGoneFor != nil }
        #expect(await rig.refusal(of: .start(frame: nil)) != nil)
        await rig.live.quit()
        try await rig.live.waitForEnd()
        try await rig.live.end()
    }

    @Test func `Of a stage that was replaced nothing is kept`() async throws {
        let (shelf, request) = (
            try PluginShelf.planted(), try PluginRequest(parsing: "main=\(PlantedPlugins.uri("gain")),name=soft")
        )
        let rig = try await LiveRig { settings in
            (settings.stage.shelf, settings.stage.plugins) = (shelf, [request])
        }
        try await rig.patch()
        rig.play()
        weak let renderer = await rig.live.stage.assembly.renderer
        weak let plugins = await rig.live.stage.assembly.plugins
        weak let monitor = await rig.live.sound.monitor
        weak let client = await rig.live.stage.client
        try await Self.restart(rig)
        rig.play()
        #expect(await eventually { renderer == nil && plugins == nil && monitor == nil && client == nil })
        #expect(renderer == nil)
        #expect(plugins == nil)
        #expect(monitor == nil)
        #expect(client == nil)
        try await rig.live.end()
    }
}
