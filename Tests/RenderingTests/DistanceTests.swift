import Geometry
import HRTF
import Signal
import Soundstage
import Testing

@testable import Rendering

/// Sources on one stage, each with a distance of its own.
@Suite struct DistanceTests {
    private static let field = Result {
        var options = HRTFOptions()
        options.sourceDistances = [0.3]
        return try FilterField.load(HRTFSelection("generated"), sampleRate: .studio, options: options).0
    }

    @Test(arguments: [false, true]) func `Each source is heard through the field for its distance`(
        isWide: Bool
    ) throws {
        let field = try Self.field.get()
        let head = Rotation<Head, Stage>(yaw: 0.6)
        let direction = Direction<Stage>(azimuthDegrees: 70, elevationDegrees: 0)
        func stage(_ shell: Int) throws -> StageRenderer {
            // A width without audible effect, so that the source takes the path of wide sources.
            let source = SourcePlacement(direction: direction, width: isWide ? 1e-6 : 0, shell: shell)
            return try StageRenderer(
                StageConfiguration(sampleRate: .studio, sources: [source], trim: Decibels(0), outputGuard: .off),
                field: field, poses: .fixed(head))
        }
        let sound = noise(9600)
        let ears = try (0..<2).map { render(try stage($0), [sound], periods: [256]) }
        let wanted = (0..<2).map { directForm([sound], [field.responses(head.inverse(direction), shell: $0)]) }
        for shell in 0..<2 {
            // A field in the time domain differs by the images of its interpolator.
            #expect(ears[shell].error(against: wanted[shell]) < -60)
            #expect(ears[shell].error(against: wanted[1 - shell]) > -15)
        }
    }

    @Test func `A field without a source's distance is refused`() throws {
        let source = SourcePlacement(direction: Direction(azimuthDegrees: 0, elevationDegrees: 0), shell: 2)
        let configuration = StageConfiguration(sampleRate: .studio, sources: [source])
        #expect(throws: RenderingError.noSuchShell(source: 0, shell: 2, shells: 2)) {
            try StageRenderer(configuration, field: try Self.field.get(), poses: .fixed(.identity))
        }
    }
}
