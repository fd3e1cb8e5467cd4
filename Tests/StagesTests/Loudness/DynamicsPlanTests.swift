import Loading
import Soundstage
import Stages
import Testing

@Suite struct DynamicsPlanTests {
    private func metadata(loudness: Double? = nil, dialnorm: Int? = nil, drc: CompressionProfile? = nil)
        -> ProgrammeMetadata
    {
        var metadata = ProgrammeMetadata()
        (metadata.loudness, metadata.dialnorm, metadata.drc) = (loudness, dialnorm, drc)
        return metadata
    }

    @Test func withoutMetadataNothingIsDone() throws {
        let plan = try DynamicsPlan(DynamicsSettings())
        #expect(!plan.isActive && plan.controls == DynamicsControls() && plan.line == nil)
        // Metadata with a loudness alone change nothing.
        #expect(try !DynamicsPlan(DynamicsSettings(), metadata: metadata(loudness: -18)).isActive)
    }

    @Test func dialnormBringsDialogueTo31AsADecoderInLineModeDoes() throws {
        for (dialnorm, gain) in [(-31, 0.0), (-27, -4), (-21, -10), (-1, -30)] {
            #expect(try DynamicsPlan(DynamicsSettings(dialnorm: dialnorm)).normalisation == gain)
            #expect(try DynamicsPlan(DynamicsSettings(), metadata: metadata(dialnorm: dialnorm)).normalisation == gain)
            let radio = try DynamicsPlan(DynamicsSettings(dialnorm: dialnorm, target: .rf))
            #expect(radio.normalisation == gain + 11)
        }
    }

    @Test func theUserIsHeardBeforeTheMetadataAndWhatIsSaidBeforeWhatIsMeasured() throws {
        let all = metadata(loudness: -20, dialnorm: -27, drc: .musicLight)
        func reference(_ settings: DynamicsSettings) throws -> Double? {
            try DynamicsPlan(settings, metadata: all).reference
        }
        #expect(try reference(DynamicsSettings(loudness: -18, dialnorm: -24)) == -18)
        #expect(try reference(DynamicsSettings(dialnorm: -24)) == -24)
        #expect(try reference(DynamicsSettings()) == -27)
        #expect(try DynamicsPlan(DynamicsSettings(), metadata: metadata(loudness: -20)).reference == -20)
        #expect(try DynamicsPlan(DynamicsSettings(), metadata: metadata(dialnorm: -27)).reference == -27)
        let targeted = try DynamicsPlan(DynamicsSettings(target: .loudness(-23)), metadata: all)
        #expect(targeted.normalisation == 4 && targeted.profile == "music-light")
        #expect(try DynamicsPlan(DynamicsSettings(profile: CompressionProfile.none), metadata: all).profile == "none")
        #expect(try DynamicsPlan(DynamicsSettings(target: .off), metadata: metadata(dialnorm: -20)).normalisation == 0)
    }

    @Test func whatCannotBeDoneIsRefusedWithTheWayOut() throws {
        for settings in [DynamicsSettings(target: .loudness(-23)), DynamicsSettings(profile: .filmLight)] {
            let error = #expect(throws: SessionError.self) { try DynamicsPlan(settings) }
            #expect(error?.description.contains("proscenium loudness FILE") == true && error?.fault == .usage)
        }
        let error = #expect(throws: SessionError.self) {
            try DynamicsPlan(DynamicsSettings(), metadata: metadata(drc: .speech), from: "a.wav.json")
        }
        #expect(error?.description.contains("a.wav.json") == true && error?.fault == .input)
    }

    @Test func wordsAreReadStrictly() throws {
        for (key, value) in [
            ("dialnorm", "-40"), ("dialnorm", "x"), ("drc", "loud"), ("drc-cut", "2"), ("loudness-target", "5"),
            ("programme-loudness", ""), ("volume", "1"), ("gain", "-3"), ("upmix-width", "1"),
        ] {
            #expect(throws: SessionError.self) { try InputSettings(parsing: "film=5.1,\(key)=\(value)") }
        }
        let keys = Parameter.all.filter { $0.group == .loudness }.map(\.id)
        let said = zip(keys, ["-18", "-27", "rf", "film-light", "0.5", "0"]).map { "\($0)=\($1)" }
        #expect(
            try InputSettings(parsing: "film=5.1," + said.joined(separator: ",")).dynamics
                == DynamicsSettings(
                    loudness: -18, dialnorm: -27, target: .rf, profile: .filmLight, cut: 0.5, boost: 0))
    }

    @Test func inputsSayItTheSameWay() throws {
        let input = try InputSettings(parsing: "film=5.1,dialnorm=-27,drc=film-standard,level=-3")
        #expect(
            input.dynamics == DynamicsSettings(dialnorm: -27, profile: .filmStandard)
                && input.changes["level"] == .numbers([-3]))
        #expect(throws: SessionError.self) { try InputSettings(parsing: "film=5.1,drc=loud") }
    }
}
