import Desk
import Rendering
import Soundstage
import Stages
import Testing

@testable import Session

/// Modes of inputs in two scenes. In scene a the main input has loudspeakers; in scene b it is a sound field, which
/// refuses the mode off. The input `talk` has loudspeakers in both.
@Suite(.timeLimit(.minutes(10))) struct LiveSceneModeTests {
    /// Returns a session with both scenes, of which a is heard.
    private static func rig() async throws -> LiveRig {
        let talk = try InputSettings(parsing: "talk=mono")
        let rig = try await LiveRig { settings in
            settings.stage.layout = "5.1"
            settings.stage.programmes.inputs = [talk]
        }
        await rig.change(try .set("scene", "b"))
        await rig.change(try .set("layout", "ambi1"))
        await rig.change(try .set("scene", "a"))
        return rig
    }

    /// Returns the mode of an input in the scene that is heard.
    private static func mode(_ rig: LiveRig, _ input: String) -> String? { rig.state["input/\(input)/mode"]?.word }

    @Test func `A mode that the heard scene's sound field refuses leaves the loudspeakers of another scene`()
        async throws
    {
        let rig = try await Self.rig()
        await rig.done(try .set("mode", "off", of: "main"))
        await rig.change(try .set("scene", "b"))
        #expect(Self.mode(rig, "main") == "tracked" && Self.mode(rig, "talk") == "tracked")
        // Of all inputs only the further one takes it.
        await rig.done(try .set("mode", "off"))
        #expect(Self.mode(rig, "main") == "tracked" && Self.mode(rig, "talk") == "off")
        await rig.change(try .set("scene", "a"))
        #expect(Self.mode(rig, "main") == "off" && Self.mode(rig, "talk") == "off")
        try await rig.live.end()
    }

    /// In an earlier version, the visit set the gain to 1, and the fold-down was louder than the stage.
    @Test func `A visit to a sound field leaves the gain with which another scene is compared`() async throws {
        let rig = try await Self.rig()
        await rig.done(try .set("compare", "bypass"))
        let gain = await Self.gainPastStage(rig)
        #expect(gain != 1)
        await rig.change(try .set("scene", "b"))
        // Every 50 ms the heard scene's settings are copied to the other.
        await rig.clock.advance(by: 1)
        await rig.change(try .set("scene", "a"))
        #expect(await Self.gainPastStage(rig) == gain)
        await rig.done(try .set("compare", "off"))
        #expect(await Self.gainPastStage(rig) == 1)
        try await rig.live.end()
    }

    /// Returns the gain of the main input past the stage, in the scene that is heard.
    private static func gainPastStage(_ rig: LiveRig) async -> Float? {
        await rig.live.stage.input("main")?.controls.gainPastStage
    }

    /// In an earlier version, the other scene played on its stage while `compare` was `bypass`.
    @Test func `A comparison that begins in a scene with a sound field holds in the other scene`() async throws {
        let rig = try await Self.rig()
        await rig.change(try .set("scene", "b"))
        // In scene b only the input `talk` takes `bypass`; `main` is a sound field.
        await rig.done(try .set("compare", "bypass"))
        #expect(Self.mode(rig, "main") == "tracked" && Self.mode(rig, "talk") == "off")
        await rig.clock.advance(by: 1)
        await rig.change(try .set("scene", "a"))
        #expect(Self.mode(rig, "main") == "off" && Self.mode(rig, "talk") == "off")
        #expect(await Self.gainPastStage(rig) != 1)
        await rig.done(try .set("compare", "off"))
        #expect(Self.mode(rig, "main") == "tracked" && Self.mode(rig, "talk") == "tracked")
        #expect(await Self.gainPastStage(rig) == 1)
        try await rig.live.end()
    }

    /// In an earlier version, the new stage did not take part in the comparison.
    @Test func `A stage with loudspeakers that replaces a sound field takes part in the comparison`() async throws {
        let rig = try await Self.rig()
        await rig.done(try .set("compare", "bypass"))
        await rig.change(try .set("scene", "b"))
        await rig.change(try .set("layout", "stereo"))
        #expect(rig.state["compare"] == .word("bypass") && Self.mode(rig, "main") == "off")
        #expect(await Self.gainPastStage(rig) != 1)
        await rig.done(try .set("compare", "off"))
        #expect(Self.mode(rig, "main") == "tracked")
        try await rig.live.end()
    }

    /// In an earlier version, the print of the sound field took over `off`, the mode of scene a before the comparison.
    @Test func `The print of a sound field keeps its mode while scenes with loudspeakers are compared`() async throws {
        let rig = try await Self.rig()
        await rig.done(try .set("mode", "off", of: "main"))
        await rig.change(try .set("print-bus", "on"))
        await rig.done(try .set("compare", "bypass"))
        await rig.change(try .set("scene", "b"))
        await rig.clock.advance(by: 1)
        let print = await rig.live.stage.print?.renderer.programmes.first { $0.programme.name == "main" }
        #expect(print?.programme.field != nil && print?.controls.mode == .tracked)
        try await rig.live.end()
    }

    @Test func `A comparison that ends in another scene than the one in which it began ends in both`() async throws {
        let rig = try await Self.rig()
        await rig.done(try .set("compare", "bypass"))
        #expect(Self.mode(rig, "main") == "off" && Self.mode(rig, "talk") == "off")
        await rig.change(try .set("scene", "b"))
        #expect(rig.state["compare"] == .word("bypass"))
        await rig.done(try .set("mode", "fixed", of: "talk"))
        #expect(rig.state["compare"] == .word("off") && Self.mode(rig, "main") == "tracked")
        await rig.change(try .set("scene", "a"))
        #expect(Self.mode(rig, "main") == "tracked" && Self.mode(rig, "talk") == "fixed")
        try await rig.live.end()
    }
}
