import AudioIO
import AudioInMemory
import Desk
import Foundation
import Geometry
import Loading
import Racks
import Rendering
import SavedSessions
import Signal
import SoundFixtures
import Soundstage
import Stages
import Synchronization
import Testing
import Waiting

@testable import Session

/// Scenes and the print bus.
@Suite(.timeLimit(.minutes(10))) struct LiveSceneTests {
    @Test func `A new scene is a copy; each keeps what was changed in it`() async throws {
        let rig = try await LiveRig { $0.stage.layout = "5.1" }
        try await rig.patch(inputs: ["FL", "FR", "FC", "LFE", "SL", "SR"])
        rig.play(channels: 6)
        await rig.change(try .set("scene", "b"))
        #expect(rig.state["scene"] == .word("b") && rig.state["scenes"] == .word("ab"))
        #expect(rig.state["layout"] == .word("5.1"))
        await rig.change(try .set("layout", "stereo"))
        await rig.change(try .set("gain", "-9"))
        // An existing scene is heard at once.
        await rig.done(try .set("scene", "a"))
        #expect(rig.state["layout"] == .word("5.1") && rig.state["gain"] == .numbers([0]))
        #expect(rig.server.ports.contains("proscenium:in_SL"))
        await rig.settle { await rig.live.staging.transition == nil }
        await rig.done(try .set("level", "-3", of: "main"))
        await rig.done(try .set("scene", "b"))
        await rig.settle { await rig.live.staging.transition == nil }
        #expect(rig.state["layout"] == .word("stereo") && rig.state["input/main/level"] == .numbers([-3]))
        // The scene that is heard cannot be cleared; another one goes with its ports.
        let reason = await rig.refusal(of: try .set("scene-clear", "b"))
        #expect(reason?.contains("the one that is heard") == true)
        await rig.done(try .set("scene-clear", "a"))
        #expect(rig.state["scenes"] == .word("b"))
        #expect(!rig.server.ports.contains("proscenium:in_SL"))
        try await rig.live.end()
    }

    @Test func `To turn to another scene changes nothing in it`() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        rig.play()
        await rig.change(try .set("gain", "-3"))
        await rig.change(try .set("scene", "b"))
        await rig.change(try .set("layout", "5.1"))
        await rig.done(try .set("scene", "a"))
        await rig.settle { await rig.live.staging.transition == nil }
        #expect(await rig.refusal(of: .history(.undo))?.contains("in scene b") == true)
        #expect(rig.state["layout"] == .word("stereo") && rig.state["gain"] == .numbers([-3]))
        await rig.done(try .set("scene", "b"))
        await rig.settle { await rig.live.staging.transition == nil }
        await rig.change(.history(.undo))
        #expect(rig.state["layout"] == .word("stereo"))
        try await rig.live.end()
    }

    @Test func `What was done in a scene that is let go of hinders no undo`() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        rig.play()
        await rig.done(try .set("level", "-3", of: "main"))
        await rig.change(try .set("scene", "b"))
        await rig.change(try .set("gain", "-5"))
        await rig.done(try .set("scene", "a"))
        await rig.settle { await rig.live.staging.transition == nil }
        await rig.done(try .set("scene-clear", "b"))
        await rig.done(.history(.undo))
        #expect(rig.state["input/main/level"] == .numbers([0]))
        try await rig.live.end()
    }

    @Test func `Ears that were muted and not yet told of stay so in the scene that is turned to`() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        rig.play()
        await rig.change(try .set("scene", "b"))
        await rig.live.stage.assembly.renderer.gate.pointee.close()
        await rig.done(try .set("scene", "a"))
        await rig.settle { await rig.live.staging.transition == nil }
        rig.play()
        #expect(rig.play().joined().allSatisfy { $0 == 0 })
        // No message of a lost route comes: after a second the session reports the ears as held, and can be resumed.
        await rig.clock.advance(by: 1.2)
        try await rig.heard { $0.playback.state == "held" }
        await rig.done(.playback(.resume))
        #expect(LiveRig.level(rig.play(seconds: 0.2)) > -40)
        await rig.done(try .set("scene", "b"))
        await rig.settle { await rig.live.staging.transition == nil }
        #expect(LiveRig.level(rig.play(seconds: 0.2)) > -40)
        try await rig.live.end()
    }

    @Test func `What is turned to is to the bit what it would be alone`() async throws {
        func rig() async throws -> LiveRig {
            let rig = try await LiveRig()
            try await rig.patch()
            return rig
        }
        let (plain, compared) = (try await rig(), try await rig())
        for each in [plain, compared] { each.play() }
        await compared.change(try .set("scene", "b"))
        await compared.change(try .set("gain", "-6"))
        await compared.done(try .set("scene", "a"))
        await compared.settle { await compared.live.staging.transition == nil }
        for each in [plain, compared] { each.play(channels: 0, seconds: 1) }
        #expect(compared.play(seconds: 0.5, seed: 3) == plain.play(seconds: 0.5, seed: 3))
        try await plain.live.end()
        try await compared.live.end()
    }

    @Test func `A server that comes back at another rate has all scenes again`() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        rig.play()
        await rig.change(try .set("scene", "b"))
        await rig.change(try .set("gain", "-6"))
        await rig.change(try .set("print-bus", "on"))
        rig.server.setRate(44_100)
        try await rig.heard { $0.sampleRate == 44_100 }
        await rig.settle { await rig.live.staging.lost.isEmpty }
        await rig.settle { await rig.live.staging.wantsPrint }
        #expect(await rig.live.staging.filled == ["a", "b"])
        #expect(rig.server.ports.contains("proscenium:print_L"))
        await rig.done(try .set("scene", "a"))
        #expect(rig.state["gain"] == .numbers([0]))
        try await rig.live.end()
    }

    /// Source of a sphere's filters that can refuse a layout.
    private final class Refusals: Sendable {
        let layout = Mutex<String?>(nil)
    }

    @Test func `A scene that cannot be prepared anew is kept, and prepared at the next return`() async throws {
        let (scratch, refusals) = (try Scratch(), Refusals())
        let fields = LiveRig.environment(MemoryServer(), ManualClock(), LiveRig.Said()).fields
        let sets = LiveRig.Sets { settings, rate, says throws(SessionError) in
            if let layout = refusals.layout.withLock({ $0 }), settings.choices.layout == layout {
                throw SessionError(.environment, "no memory is left")
            }
            return try fields(settings, rate, says)
        }
        let rig = try await LiveRig(sets: sets)
        let folder = try SessionFolder(
            scratch("session"), of: rig.live, at: rig.live.environment.desk, options: [:]
        ) { rig.said.add($0) }
        await folder.open()
        try await rig.patch()
        rig.play()
        await rig.change(try .set("scene", "b"))
        await rig.change(try .set("layout", "5.1"))
        await rig.change(try .set("scene", "a"))
        refusals.layout.withLock { $0 = "5.1" }
        rig.server.setRate(44_100)
        try await rig.heard { $0.sampleRate == 44_100 }
        await rig.settle { rig.said.notes.contains { $0.hasPrefix("scene b does not play yet: no memory is left") } }
        #expect(await rig.live.staging.filled == ["a"])
        #expect(await rig.refusal(of: try .set("scene", "b"))?.contains("no memory is left") == true)
        try await folder.save()
        #expect(try SessionDocument(folder: scratch("session"))?.scenes["b"]?["layout"] == .word("5.1"))
        refusals.layout.withLock { $0 = nil }
        rig.server.setRate(48_000)
        try await rig.heard { $0.sampleRate == 48_000 }
        await rig.settle { await rig.live.staging.lost.isEmpty }
        await rig.change(try .set("scene", "b"))
        #expect(rig.state["layout"] == .word("5.1"))
        try await folder.close()
        try await rig.live.end()
    }

    @Test func `A scene of a sound field takes no policy that its field refuses`() async throws {
        let rig = try await LiveRig { $0.stage.layout = "ambi1" }
        await rig.change(try .set("scene", "b"))
        await rig.change(try .set("layout", "stereo"))
        await rig.done(try .set("spatialize", "none", of: "main"))
        await rig.change(try .set("scene", "a"))
        #expect(rig.state["input/main/spatialize"]?.word != nil && rig.state["input/main/spatialize"] != .word("none"))
        try await rig.live.end()
    }

    @Test func `A visit to a scene that refuses values leaves them in the others`() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        func value(_ name: String) -> ParameterValue? { rig.state["input/main/" + name] }
        for (name, value) in [("spatialize", "none"), ("source-width", "30"), ("mode", "off")] {
            await rig.done(try .set(name, value, of: "main"))
        }
        await rig.change(try .set("scene", "b"))
        await rig.change(try .set("layout", "ambi1"))
        #expect(value("spatialize") == .word("all") && value("mode") == .word("tracked"))
        #expect(value("source-width") == .number(0))
        await rig.done(try .set("level", "-3", of: "main"))
        // The server's next rate builds the scene anew that is not heard.
        rig.server.setRate(44_100)
        try await rig.heard { $0.sampleRate == 44_100 }
        await rig.settle { await rig.live.staging.lost.isEmpty }
        await rig.change(try .set("scene", "a"))
        #expect(value("spatialize") == .word("none") && value("mode") == .word("off"))
        #expect(value("source-width") == .number(30) && value("level") == .number(-3))
        // A value that is set in any scene is that of all.
        await rig.change(try .set("scene", "b"))
        await rig.done(try .set("mode", "fixed", of: "main"))
        await rig.change(try .set("scene", "a"))
        #expect(value("mode") == .word("fixed") && value("spatialize") == .word("none"))
        try await rig.live.end()
    }

    @Test func `The print bus is what render writes: front, no guard, no monitor section`() async throws {
        let rig = try await LiveRig {
            $0.stage.limiter = .instant
            $0.start = .onRequest
        }
        rig.server.addClient("recorder", inputs: ["l", "r"])
        try await rig.patch()
        await rig.done(try .set("print-bus", "on"))
        for (port, input) in [("print_L", "l"), ("print_R", "r")] {
            try #require(rig.server.connect("proscenium:\(port)", to: "recorder:\(input)"))
        }
        await rig.done(try .set("level", "-2", of: "main"))
        let sound = (0..<2).map { LiveRig.noise(24_000, seed: UInt64($0)) }
        _ = (rig.server.takeArrived(at: "recorder:l"), rig.server.takeArrived(at: "recorder:r"))
        await begin(rig, sound)
        let idle = ["l", "r"].map { rig.server.takeArrived(at: "recorder:\($0)") }
        // The same, rendered offline by another engine.
        var settings = StageSettings(layout: "stereo", limiter: .off)
        settings.programmes.changes = [try ParameterChange("level", ["-2"])]
        let offline = try StageAssembly(
            settings, layout: .named("stereo"),
            set: try rig.live.environment.fields(settings, .studio) { _ in }, poses: .fixed(.identity))
        let driver = MemoryDriver(renderer: offline.renderer, inputCount: 2, sampleRate: .studio)
        let periods = Array(repeating: 256, count: 24_000 / 256)
        let rendered = driver.run(sound, periods: periods)
        for ear in 0..<2 {
            #expect(rendered[ear].count <= idle[ear].count)
            #expect(Array(idle[ear][..<rendered[ear].count]) == rendered[ear])
        }
        #expect(LiveRig.level(rendered) > -50)
        // The print bus stays the same, whatever the listener sets.
        for (name, value) in [("dim", "on"), ("mono", "on"), ("monitor-level", "-20"), ("compare", "bypass")] {
            await rig.done(try .set(name, value))
        }
        await rig.done(try .set("loudspeaker-mute", "on", of: "FL"))
        await rig.done(try .set("solo", "on", of: "main"))
        await rig.clock.advance(by: 0.1)
        rig.server.run(seconds: 0.5)
        _ = (rig.server.takeArrived(at: "recorder:l"), rig.server.takeArrived(at: "recorder:r"))
        await begin(rig, sound)
        let busy = ["l", "r"].map { rig.server.takeArrived(at: "recorder:\($0)") }
        for ear in 0..<2 { #expect(Array(busy[ear][..<rendered[ear].count]) == rendered[ear]) }
        await rig.done(try .set("print-bus", "off"))
        #expect(!rig.server.ports.contains("proscenium:print_L"))
        try await rig.live.end()
    }

    @Test func `The print bus of a stage that takes over begins with the settings in force`() async throws {
        let rig = try await LiveRig()
        rig.server.addClient("recorder", inputs: ["l"])
        try await rig.patch()
        await rig.change(try .set("print-bus", "on"))
        try #require(rig.server.connect("proscenium:print_L", to: "recorder:l"))
        rig.play()
        #expect(rig.server.takeArrived(at: "recorder:l").contains { $0 != 0 })
        await rig.done(try .set("mute", "on", of: "main"))
        // First the fade-out of the mute passes.
        rig.play(seconds: 0.5)
        await rig.clock.advance(by: 0.1)
        rig.play(seconds: 0.5)
        _ = rig.server.takeArrived(at: "recorder:l")
        for channel in 1...2 { rig.server.play(LiveRig.noise(240_000, seed: 7), on: "daw:out_\(channel)") }
        await rig.change(try .set("gain", "-6"))
        let arrived = rig.server.takeArrived(at: "recorder:l")
        #expect(!arrived.isEmpty && arrived.allSatisfy { $0 == 0 })
        try await rig.live.end()
    }

    /// Sets stream time 0 to the next cycle, with which the sound begins.
    private func begin(_ rig: LiveRig, _ sound: [[Float]]) async {
        for (channel, row) in sound.enumerated() { rig.server.play(row, on: "daw:out_\(channel + 1)") }
        let live = rig.live
        async let reply = live.perform(.start(frame: nil))
        _ = await eventually { rig.server.isAskedToStart }
        rig.server.run(seconds: 0.5)
        _ = await reply
    }
}
