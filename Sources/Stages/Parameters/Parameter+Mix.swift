import AudioMix
import Soundstage

/// Parameters of the mix of a sound field from its voices and its ambience.
extension Parameter {
    /// Parameters of the Audio Mix of the main programme.
    package static let mix: [Parameter] = [
        Parameter(
            "mix", .mix, words: AudioMixStyle.allCases.map(\.rawValue), standard: "standard",
            "how a sound field is mixed: voices to the front (cinematic), dry and near (studio), only those in the camera's view (in-frame), or as recorded (standard)",
            effect: .controls { controls, value, _ in
                controls.mix.style = AudioMixStyle(rawValue: value.word) ?? controls.mix.style
            }, reads: .controls { .word($0.mix.style.rawValue) }, refusal: noMix),
        Parameter(
            "mix-intensity", .mix, [Number(unit: "", range: 0...1)], standard: "1",
            "strength of the mix: 0 is the recording, 1 the style alone",
            effect: .controls { controls, value, _ in controls.mix.intensity = Float(value.number) },
            reads: .controls { .number(ParameterValue.share($0.mix.intensity)) }, refusal: noMix),
        Parameter(
            "mix-keep", .mix, words: ["whole", "speech"], standard: "whole",
            "what keeps its loudness when mix-intensity changes: the whole mix or the speech",
            effect: .controls { controls, value, _ in controls.mix.keepsSpeech = value == .word("speech") },
            reads: .controls { .word($0.mix.keepsSpeech ? "speech" : "whole") }, refusal: noMix),
        Parameter(
            "camera-heading", .mix, [Number(unit: "degrees", range: -360...360)], standard: "0",
            "direction of the camera for mix in-frame, positive to the left",
            effect: .controls { controls, value, _ in controls.mix.cameraHeading = Float(value.number * Double.pi / 180)
            },
            reads: .controls { .number(degrees($0.mix.cameraHeading)) }, refusal: noMix),
        Parameter(
            "camera-field", .mix, [Number(unit: "degrees", range: 0...360)], standard: "60",
            "total angle of view of the camera for mix in-frame",
            effect: .controls { controls, value, _ in controls.mix.fieldOfView = Float(value.number * Double.pi / 180)
            },
            reads: .controls { .number(degrees($0.mix.fieldOfView)) }, refusal: noMix),
    ]

    /// Returns an angle in degrees, rounded to 1e-4.
    private static func degrees(_ radians: Float) -> Double {
        (Double(radians) * 180 / Double.pi * 1e4).rounded() / 1e4 + 0
    }

    private static let noMix: @Sendable (ProgrammeRefusal, ParameterValue) -> String? = { input, _ in
        guard input.field != nil else { return "an Audio Mix is made of a sound field" }
        return input.programme.mix == nil ? "the session makes no Audio Mix; start it with --mix" : nil
    }
}
