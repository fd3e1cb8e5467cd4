import Signal
import Soundstage

/// Parameters of the monitor section.
extension Parameter {
    /// Sets a switch to `on` or `off`, or toggles it.
    package static func flip(_ isOn: inout Bool, _ value: ParameterValue) {
        isOn = value == .word("toggle") ? !isOn : value == .word("on")
    }

    /// Values of a switch.
    package static let switchWords = ["on", "off", "toggle"]

    /// Solo and polarity of an input, in addition to its mute.
    package static let inputSwitches: [Parameter] = [
        Parameter(
            "solo", .input, words: switchWords, standard: "off",
            "has the input heard alone, with others that are: what is not soloed is silent", isChoice: false,
            effect: .controls { controls, value, _ in flip(&controls.isSolo, value) },
            reads: .controls { .isOn($0.isSolo) }),
        Parameter(
            "solo-safe", .input, words: switchWords,
            "keeps the input heard whatever is soloed; on for effects, else off", isChoice: false,
            effect: .controls { controls, value, _ in flip(&controls.isSoloSafe, value) },
            reads: .controls { .isOn($0.isSoloSafe) }),
        Parameter(
            "polarity", .input, words: switchWords, standard: "off",
            "turns the input's polarity over, of all its channels", isChoice: false,
            effect: .controls { controls, value, _ in flip(&controls.isInverted, value) },
            reads: .controls { .isOn($0.isInverted) }),
    ]

    /// Parameters of each virtual loudspeaker.
    package static let loudspeakers: [Parameter] = [
        Parameter(
            "loudspeaker-mute", .loudspeaker, words: switchWords, standard: "off",
            "silences the virtual loudspeaker of all inputs and effects", isChoice: false,
            effect: .loudspeaker { flip(&$0.isMuted, $1) }, reads: loudspeaker(\.isMuted)),
        Parameter(
            "loudspeaker-solo", .loudspeaker, words: switchWords, standard: "off",
            "has the virtual loudspeaker heard alone, with others that are", isChoice: false,
            effect: .loudspeaker { flip(&$0.isSolo, $1) }, reads: loudspeaker(\.isSolo)),
        Parameter(
            "loudspeaker-polarity", .loudspeaker, words: switchWords, standard: "off",
            "turns the virtual loudspeaker's polarity over", isChoice: false,
            effect: .loudspeaker { flip(&$0.isInverted, $1) }, reads: loudspeaker(\.isInverted)),
        Parameter(
            "test-noise", .loudspeaker, words: switchWords, standard: "off",
            "plays pink noise at -20 dBFS RMS from the loudspeaker; unless one is named, from the centre",
            isChoice: false, effect: .listening(.testNoise), reads: .loudspeaker { .isOn($0.noise == $1) }),
    ]

    /// Parameters of the whole section.
    package static let monitor: [Parameter] = [
        Parameter(
            "solo-mode", .monitor, words: ["additive", "exclusive"], standard: "additive",
            "whether solos add up, or each ends those before it of its kind (inputs, loudspeakers)", isChoice: false,
            effect: .monitor { settings, value in
                settings.isSoloExclusive = value.word == "exclusive"
                return nil
            }, reads: .monitor { .word($0.isSoloExclusive ? "exclusive" : "additive") }),
        Parameter(
            "solo-clear", .monitor, words: ["all", "inputs", "loudspeakers"],
            "ends all solos, or those of inputs or loudspeakers alone", isChoice: false,
            effect: .listening(.soloClear), reads: .monitor { _ in nil }),
        monitorLevel(
            "monitor-level", MonitorSettings.levels, standard: "0",
            "how loud the ears are listened to; recordings and meters stay as they are", \.level),
        monitorSwitch("dim", "turns the ears down by dim-level", \.isDimmed),
        monitorLevel("dim-level", -60...0, standard: "-20", "by how much dim turns the ears down", \.dimLevel),
        monitorSwitch("monitor-mute", "silences the ears; recordings and meters go on", \.isMuted),
        monitorSwitch("mono", "gives both ears the mean of the two", \.isMono),
        Parameter(
            "calibrated-level", .monitor, [Number(unit: "dB SPL", range: 30...120)],
            "sound level that test-noise was measured at with monitor-level 0", isChoice: false,
            effect: .monitor { settings, value in
                settings.calibratedLevel = value.numbers.first
                return nil
            }, reads: .monitor { $0.calibratedLevel.map { .number($0) } }),
        Parameter(
            "reference-level", .monitor, [Number(unit: "dB SPL", range: 30...120)],
            "sets monitor-level so that pink noise at -20 dBFS RMS is as loud as this; needs calibrated-level",
            isChoice: false, effect: .monitor { $0.setReference($1.number) },
            reads: .monitor { $0.reference.map { .number($0) } }),
        Parameter(
            "fold-down", .monitor, words: ["none"] + MonitorSettings.foldDowns, standard: "none",
            "lets the stage be heard as the fold-down to a narrower layout, at that layout's places", isChoice: false,
            effect: .listening(.foldDown), reads: .monitor { .word($0.foldDown ?? "none") }),
        Parameter(
            "compare", .monitor, words: ["off"] + MonitorSettings.Comparison.allCases.map(\.rawValue),
            standard: "off",
            "sets the mode of all inputs, with bypass (no stage) as loud as the stage; off: as before", isChoice: false,
            effect: .listening(.compare), reads: .monitor { .word($0.comparison?.rawValue ?? "off") }),
    ]

    /// Returns the parameter of a level of the section, dB.
    package static func monitorLevel(
        _ id: String, _ range: ClosedRange<Double>, standard: String, _ help: String,
        _ number: any WritableKeyPath<MonitorSettings, Double> & Sendable
    ) -> Parameter {
        Parameter(
            id, .monitor, [Number(unit: "dB", range: range)], standard: standard, help, isChoice: false,
            effect: .monitor { settings, value in
                settings[keyPath: number] = value.number
                return nil
            }, reads: .monitor { .number($0[keyPath: number]) })
    }

    private static func monitorSwitch(
        _ id: String, _ help: String, _ isOn: any WritableKeyPath<MonitorSettings, Bool> & Sendable
    ) -> Parameter {
        Parameter(
            id, .monitor, words: switchWords, standard: "off", help, isChoice: false,
            effect: .monitor { settings, value in
                flip(&settings[keyPath: isOn], value)
                return nil
            }, reads: .monitor { .isOn($0[keyPath: isOn]) })
    }

    private static func loudspeaker(
        _ isOn: any KeyPath<MonitorSettings.Switches, Bool> & Sendable
    ) -> Reading {
        .loudspeaker { settings, name in .isOn((settings.loudspeakers[name] ?? .init())[keyPath: isOn]) }
    }
}
