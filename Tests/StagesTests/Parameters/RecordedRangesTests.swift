import HeadTracking
import Soundstage
import Testing

@testable import Stages

/// The ranges of the table's rows, beside those that the values of a motion log are checked by (`flaw`).
@Suite struct RecordedRangesTests {
    /// Rows whose values are wider in a log, or have no range there. All gains have one bound; a rotation and a heading
    /// are any angle; the row of all amounts of the upmix limits them; loudnesses are a gain and a reference in a log.
    private static let wider: Set<String> = [
        "level", "place", "camera-heading", "upmix", "programme-loudness", "dialnorm", "loudness-target",
    ]

    /// Returns whether a log with this value of a row is valid; nil if a log does not contain the row's value.
    private static func isValid(_ value: ParameterValue, of parameter: Parameter) throws -> Bool? {
        let programme = Programme(layout: Layout(name: "none", loudspeakers: []))
        var controls = ProgrammeControls(programme)
        switch parameter.effect {
        case .controls(let change): change(&controls, value, programme)
        case .upmix(let change): change(&controls.upmix.amounts, value)
        case .dynamics(let change):
            // A target needs a loudness.
            var settings = DynamicsSettings(loudness: -23)
            change(&settings, value)
            controls.dynamics = try DynamicsPlan(settings).controls
        case .tracking(let change):
            var choices = HeadTrackerOptions.Choices()
            change(&choices, value)
            return choices.flaw == nil
        case .stage, .room, .headphones, .monitor, .loudspeaker, .listening, .staging: return nil
        }
        return controls.flaw == nil
    }

    @Test func `A log takes each value of a row's range, and none just outside`() throws {
        var compared: Set<String> = [], found: Set<String> = []
        for parameter in Parameter.all {
            for (place, number) in parameter.numbers.enumerated() {
                for (bound, outwards) in [(number.range.lowerBound, -1.0), (number.range.upperBound, 1)] {
                    let step = outwards * (number.isWhole ? 1 : 1e-3 * max(1, abs(bound)))
                    func isValid(_ value: Double) throws -> Bool? {
                        var numbers = parameter.numbers.map(\.range.lowerBound)
                        numbers[place] = value
                        return try Self.isValid(.numbers(numbers), of: parameter)
                    }
                    guard let atBound = try isValid(bound) else { continue }
                    compared.insert(parameter.id)
                    #expect(atBound, "\(parameter.id): \(bound)")
                    #expect(try isValid(bound - step) == true, "\(parameter.id): just inside \(bound)")
                    if try isValid(bound + step) == true { found.insert(parameter.id) }
                }
            }
        }
        #expect(found == Self.wider)
        #expect(
            compared.subtracting(Self.wider) == [
                "source-width", "upmix-centre", "upmix-width", "upmix-ambience", "mix-intensity", "camera-field",
                "drc-cut", "drc-boost", "follow", "yaw-pull",
            ])
    }
}
