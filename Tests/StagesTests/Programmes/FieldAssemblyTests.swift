import AudioMix
import Loading
import Rendering
import Soundstage
import Stages
import Testing

/// A sound field as the main programme of a session: what it gets of the settings, and its place among the others.
@Suite struct FieldAssemblyTests {
    private static func assembly(_ change: (inout StageSettings) -> Void) throws -> ProgrammeAssembly {
        var settings = StageSettings(layout: "ambi1")
        settings.programmes.inputs = [try InputSettings(parsing: "talk=mono")]
        change(&settings)
        return try ProgrammeAssembly(settings, layout: try settings.layout(named: "ambi1"))
    }

    @Test func itsMixAndItsCameraAreThoseOfTheSettings() throws {
        let camera = CameraPath([.init(seconds: 0, heading: 0)])
        let mixed = try Self.assembly { ($0.programmes.mix, $0.programmes.camera) = (.live, camera) }
        #expect(mixed.programmes.map(\.programme.name) == ["talk", "main"])
        #expect(mixed.programmes.map(\.programme.mix) == [nil, .live])
        #expect(mixed.programmes[1].programme.camera == camera)
        #expect(mixed.voicePlaces.count == FieldMix.objectCount)
        let plain = try Self.assembly { _ in }
        #expect(plain.programmes.allSatisfy { $0.programme.mix == nil } && plain.voicePlaces.isEmpty)
    }

    @Test func itIsOnTheStageWhateverTheContent() throws {
        let made = try Self.assembly { $0.programmes.content = .audio }
        #expect(made.programmes[1].controls.policy == .everything)
        #expect(made.ports.count == 5)
    }
}
