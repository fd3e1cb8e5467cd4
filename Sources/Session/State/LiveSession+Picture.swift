import Desk
import Rendering
import Soundstage
import Stages

extension LiveSession {
    /// Returns the picture of the playing stage, without inputs during a blind comparison. Reads the catalogue of HRTF
    /// sets and the folders of measured people; takes a millisecond.
    func picture() -> StagePicture {
        guard staging.trial == nil else { return StagePicture(inputs: [], choices: Self.choices) }
        let configuration = stage.assembly.renderer.configuration
        var inputs: [StagePicture.Input] = []
        var first = 0
        for each in configuration.programmes {
            let programme = each.programme
            let count = programme.multichannelChannels
            let places = programme.layout.loudspeakers.enumerated().map { index, loudspeaker in
                StagePicture.Place(
                    name: loudspeaker.symbol, title: loudspeaker.prettyName, azimuth: loudspeaker.azimuthDegrees,
                    elevation: loudspeaker.elevationDegrees, isLowFrequency: loudspeaker.isLowFrequency,
                    meter: index < count ? first + index : nil)
            }
            inputs.append(
                StagePicture.Input(
                    name: programme.name, layout: programme.layout.name, isEffect: programme.isEffect,
                    loudspeakers: places, meters: Array(first..<first + programme.inputCount)))
            first += programme.inputCount
        }
        return StagePicture(inputs: inputs, choices: Self.choices)
    }

    /// Names to choose from, by parameter.
    private static var choices: [String: [String]] {
        Parameter.all.reduce(into: [:]) { choices, parameter in
            choices[parameter.id] = MakingName(parameter: parameter)?.choices
        }
    }
}
