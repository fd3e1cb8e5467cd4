import Loading
import Rendering
import Soundstage
import Testing

@testable import Stages

@Suite struct EffectSettingsTests {
    private static func refusal(_ text: String) -> String? {
        do throws(SessionError) {
            _ = try EffectSettings(parsing: text)
            return nil
        } catch {
            return error.description
        }
    }

    private static func assembly(
        _ effects: [String], inputs: [String] = ["talk=mono,role=direct"], layout: String = "5.1"
    ) throws -> ProgrammeAssembly {
        var settings = StageSettings(layout: layout)
        settings.programmes.content = .audio
        settings.programmes.renditions.hold = layout == "5.1" ? 0.02 : 0
        settings.programmes.inputs = try inputs.map { try InputSettings(parsing: $0) }
        settings.programmes.effects = try effects.map { try EffectSettings(parsing: $0) }
        return try ProgrammeAssembly(settings, layout: try settings.layout(named: layout))
    }

    private static func refusal(_ effects: [String], layout: String = "5.1") -> String? {
        do {
            _ = try assembly(effects, layout: layout)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func `An effect is a name, a layout, sends and an input's parameters`() throws {
        let effect = try EffectSettings(parsing: "reverb=5.1,main=-12,level=-3,talk=-18.5,place=180,role=fixed")
        #expect(effect.input.name == "reverb" && effect.input.layout == "5.1" && effect.input.role == .fixed)
        #expect(effect.sends == [.init(input: "main", level: -12), .init(input: "talk", level: -18.5)])
        #expect(effect.input.changes.map(\.parameter.id) == ["level", "place"])
    }

    @Test func `What is none is refused for its reason`() {
        #expect(Self.refusal("reverb")?.contains("reverb=5.1,main=-12; not 'reverb'") == true)
        #expect(Self.refusal("main=5.1,main=-12")?.contains("'main' cannot name an input") == true)
        #expect(Self.refusal("reverb=5.1")?.contains("'reverb' is sent nothing") == true)
        #expect(Self.refusal("reverb=5.1,main=loud")?.contains("'main=loud'") == true)
        #expect(Self.refusal("reverb=5.1,main=41")?.contains("-120 to 40 dB") == true)
        #expect(Self.refusal("reverb=5.1,main=-3,main=-6")?.contains("'main' twice") == true)
        #expect(Self.refusal("reverb=5.1,main=-3,interrupts=pause")?.contains("leave out interrupts") == true)
        #expect(Self.refusal("reverb=5.1,main=-3,level=999")?.contains("level") == true)
    }

    @Test func `A send of what is no input names the inputs there are`() {
        #expect(Self.refusal(["reverb=5.1,tlak=-12"])?.contains("there are main, talk") == true)
        #expect(Self.refusal(["reverb=5.1,main=0", "echo=stereo,reverb=0"])?.contains("there are main, talk") == true)
        #expect(Self.refusal(["talk=5.1,main=0"])?.contains("two inputs are called 'talk'") == true)
        #expect(Self.refusal(["reverb=ambi1,main=0"])?.contains("sound field") == true)
        #expect(Self.refusal(["reverb=5.1,main=0"], layout: "ambi1")?.contains("there are talk") == true)
    }

    @Test func `An effect has loudspeakers and no ports, and stands on the stage`() throws {
        let made = try Self.assembly(["reverb=stereo,main=-6,talk=0"])
        #expect(made.programmes.map(\.programme.name) == ["main", "talk", "reverb"])
        #expect(made.ports.count == 7 && made.sources.count == 9)
        let reverb = made.programmes[2]
        #expect(reverb.programme.isEffect && !reverb.programme.isWatchedOver && reverb.programme.inputCount == 0)
        #expect(reverb.controls.policy == .everything)
        #expect(reverb.sends.map(\.programme) == [0, 1])
        #expect(abs(reverb.sends[0].gain - 0.501) < 0.001)
        #expect(reverb.sends[0].matrix == (try Layout.named("5.1").conversion(to: .named("stereo"))))
    }
}
