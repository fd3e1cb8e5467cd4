import AudioIO
import Loading
import Rendering
import Soundstage
import Testing

@testable import Stages

/// Stereo inputs that are upmixed beside a main programme of more channels.
@Suite struct InputUpmixTests {
    private static func assembly(_ inputs: [String], to layout: String? = nil) throws -> ProgrammeAssembly {
        var settings = StageSettings(layout: "7.1")
        settings.programmes.inputs = try inputs.map { try InputSettings(parsing: $0) }
        if let layout { settings.programmes.upmix.layout = layout }
        return try ProgrammeAssembly(settings, layout: try settings.layout(named: "7.1"))
    }

    private static func refusal(_ inputs: [String]) -> String {
        do {
            _ = try assembly(inputs)
            return "none"
        } catch { return "\(error)" }
    }

    @Test func `A stereo input is upmixed to the layout of the upmix, and the main programme stays`() throws {
        let made = try Self.assembly(["song=stereo,upmix=energy", "talk=stereo"])
        let (main, song, talk) = (
            made.programmes[0].programme, made.programmes[1].programme, made.programmes[2].programme
        )
        #expect(main.upmix == nil && main.isMultichannel && main.layout.name == "7.1")
        #expect(song.upmix == UpmixPlan(mode: .energy) && song.layout.name == "5.1" && song.inputCount == 2)
        #expect(talk.upmix == nil && talk.layout.name == "stereo")
        #expect(made.ports.suffix(4).map(\.symbol) == ["song_FL", "song_FR", "talk_FL", "talk_FR"])
        #expect(made.sources.count == 8 + 6 + 2)
        let wide = try Self.assembly(["song=stereo,upmix=identity"], to: "7.1")
        #expect(wide.programmes[1].programme.layout.name == "7.1")
    }

    @Test func `A mono input is upmixed too`() throws {
        let made = try Self.assembly(["talk=mono,upmix=identity"])
        let talk = made.programmes[1].programme
        #expect(talk.isMono && talk.inputCount == 1 && talk.layout.name == "5.1")
        #expect(made.ports.last?.symbol == "talk_M")
    }

    @Test func `Another input, another law and an effect are refused`() {
        #expect(Self.refusal(["film=5.1,upmix=identity"]).contains("an upmix starts from stereo or mono, not 5.1"))
        #expect(Self.refusal(["song=stereo,upmix=loud"]).contains("'upmix=loud' is no key"))
        let words = "reverb=5.1,main=0,upmix=identity"
        let effect = #expect(throws: SessionError.self) { try EffectSettings(parsing: words) }
        #expect(effect?.description.contains("leave out upmix") == true)
    }
}
