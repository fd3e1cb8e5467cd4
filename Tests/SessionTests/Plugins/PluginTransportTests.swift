import AudioIO
import AudioInMemory
import Desk
import PluginHost
import Racks
import Stages
import Testing

@testable import Session

/// Plugins that follow the server's transport, with the metronome of LV2's examples.
@Suite(.timeLimit(.minutes(10))) struct PluginTransportTests {
    private static let metronome = "http://lv2plug.in/plugins/eg-metro"

    /// Returns a shelf with the metronome; nil where it is not installed.
    private static func shelf() -> PluginShelf? {
        let backend = LV2Backend(searchPath: ["/usr/lib/lv2", "/usr/local/lib/lv2"])
        guard let bundle = backend.bundles().first(where: { $0.contains("eg-metro.lv2") }),
            let plugin = try? backend.describe(bundle: bundle).first(where: { $0.identifier == metronome })
        else { return nil }
        return PluginShelf(backend: backend) { identifier throws(PluginError) in
            guard identifier == metronome else { throw .unknown(identifier: identifier, near: []) }
            return plugin
        }
    }

    /// Returns how often sound begins after a silence of at least 10 ms.
    private static func clicks(_ ears: [[Float]]) -> Int {
        let blocks = stride(from: 0, to: ears[0].count, by: 480).map { start in
            ears[0][start..<min(ears[0].count, start + 480)].contains { abs($0) > 1e-3 }
        }
        return zip(blocks, blocks.dropFirst()).filter { !$0 && $1 }.count
    }

    /// Returns the sound of both ears for `seconds` without input. The session reads the transport every 50 ms.
    private static func listen(_ rig: LiveRig, seconds: Double) async -> [[Float]] {
        var ears: [[Float]] = [[], []]
        for _ in 0..<Int(seconds * 20) {
            for (ear, heard) in rig.play(channels: 0, seconds: 0.05).enumerated() { ears[ear] += heard }
            await rig.clock.advance(by: 0.05)
        }
        return ears
    }

    /// A session with the metronome in the main input; nil, with a message, without it.
    private static func rig() async throws -> LiveRig? {
        guard let shelf = shelf() else {
            print("skipped: eg-metro of LV2's examples is not installed")
            return nil
        }
        let request = try PluginRequest(parsing: "main=\(metronome)")
        return try await LiveRig { settings in
            settings.stage.shelf = shelf
            settings.stage.plugins = [request]
        }
    }

    @Test func `A metronome beats while the transport rolls, at its tempo`() async throws {
        guard let rig = try await Self.rig() else { return }
        try await rig.patch()
        #expect(Self.clicks(await Self.listen(rig, seconds: 1)) == 0)
        rig.server.setTransport(isRolling: true, at: 0, beatsPerMinute: 240)
        #expect((7...8).contains(Self.clicks(await Self.listen(rig, seconds: 2))))
        rig.server.setTransport(isRolling: true, beatsPerMinute: 120)
        #expect((3...4).contains(Self.clicks(await Self.listen(rig, seconds: 2))))
        rig.server.setTransport(isRolling: false, beatsPerMinute: 120)
        _ = await Self.listen(rig, seconds: 0.5)
        #expect(Self.clicks(await Self.listen(rig, seconds: 1)) == 0)
        try await rig.live.end()
    }

    @Test func `A metronome of a scene that is not heard, and of its print, follows the transport too`() async throws {
        guard let rig = try await Self.rig() else { return }
        rig.server.addClient("recorder", inputs: ["l"])
        try await rig.patch()
        rig.play(channels: 0)
        await rig.change(try .set("print-bus", "on"))
        try #require(rig.server.connect("proscenium:print_L", to: "recorder:l"))
        await rig.change(try .set("scene", "b"))
        await rig.done(try .set("scene", "a"))
        await rig.settle { await rig.live.staging.transition == nil }
        #expect(Self.clicks(await Self.listen(rig, seconds: 1)) == 0)
        rig.server.setTransport(isRolling: true, at: 0, beatsPerMinute: 240)
        _ = await Self.listen(rig, seconds: 1)
        await rig.done(try .set("scene", "b"))
        await rig.settle { await rig.live.staging.transition == nil }
        _ = rig.server.takeArrived(at: "recorder:l")
        #expect((7...8).contains(Self.clicks(await Self.listen(rig, seconds: 2))))
        #expect((7...8).contains(Self.clicks([rig.server.takeArrived(at: "recorder:l")])))
        try await rig.live.end()
    }

    @Test func `A transport that rolls on as it did is no news, another tempo or place is`() {
        let rolling = ServerTransport(frame: 1000, isRolling: true, beatsPerMinute: 120)
        func goesOn(_ now: ServerTransport) -> Bool { now.goesOn(from: rolling, after: 2400, tolerance: 128) }
        #expect(goesOn(.init(frame: 3400, isRolling: true, beatsPerMinute: 120)))
        #expect(goesOn(.init(frame: 3500, isRolling: true, beatsPerMinute: 120)))
        #expect(!goesOn(.init(frame: 3600, isRolling: true, beatsPerMinute: 120)))
        #expect(!goesOn(.init(frame: 3400, isRolling: true, beatsPerMinute: 121)))
        #expect(!goesOn(.init(frame: 1000, isRolling: false, beatsPerMinute: 120)))
    }
}
