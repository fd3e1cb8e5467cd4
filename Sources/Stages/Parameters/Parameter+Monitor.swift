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
            "solos the input: inputs that are not soloed are silent", isChoice: false,
            effect: .controls { controls, value, _ in flip(&controls.isSolo, value) },
            reads: .controls { .isOn($0.isSolo) }),
        Parameter(
            "solo-safe", .input, words: switchWords,
            "keeps the input audible while others are soloed; default: on for effects, else off", isChoice: false,
            effect: .controls { controls, value, _ in flip(&controls.isSoloSafe, value) },
            reads: .controls { .isOn($0.isSoloSafe) }),
        Parameter(
            "polarity", .input, words: switchWords, standard: "off",
            "inverts the polarity of all channels of the input", isChoice: false,
            traits: [.reachesEffects], effect: .controls { controls, value, _ in flip(&controls.isInverted, value) },
            reads: .controls { .isOn($0.isInverted) }),
    ]

    /// Parameters of each virtual loudspeaker.
    package static let loudspeakers: [Parameter] = [
        Parameter(
            "loudspeaker-mute", .loudspeaker, words: switchWords, standard: "off",
            "mutes the virtual loudspeaker, for all inputs and effects", isChoice: false,
            effect: .loudspeaker { flip(&$0.isMuted, $1) }, reads: loudspeaker(\.isMuted)),
        Parameter(
            "loudspeaker-solo", .loudspeaker, words: switchWords, standard: "off",
            "solos the virtual loudspeaker: loudspeakers that are not soloed are silent", isChoice: false,
            effect: .loudspeaker { flip(&$0.isSolo, $1) }, reads: loudspeaker(\.isSolo)),
        Parameter(
            "loudspeaker-polarity", .loudspeaker, words: switchWords, standard: "off",
            "inverts the polarity of the virtual loudspeaker", isChoice: false,
            effect: .loudspeaker { flip(&$0.isInverted, $1) }, reads: loudspeaker(\.isInverted)),
        Parameter(
            "test-noise", .loudspeaker, words: switchWords, standard: "off",
            "plays pink noise at -20 dBFS RMS from the named loudspeaker, else from the centre",
            isChoice: false, traits: [.isMomentary], effect: .listening(.testNoise),
            reads: .loudspeaker { .isOn($0.noise == $1) }),
    ]

    /// Parameters of the whole section.
    package static let monitor: [Parameter] = [
        Parameter(
            "solo-mode", .monitor, words: ["additive", "exclusive"], standard: "additive",
            "whether solos add up, or a new solo ends earlier solos of its kind (inputs, loudspeakers)",
            isChoice: false,
            effect: .monitor { settings, value in
                settings.isSoloExclusive = value.word == "exclusive"
                return nil
            }, reads: .monitor { .word($0.isSoloExclusive ? "exclusive" : "additive") }),
        Parameter(
            "solo-clear", .monitor, words: ["all", "inputs", "loudspeakers"],
            "ends all solos, or only those of inputs or of loudspeakers", isChoice: false,
            effect: .listening(.soloClear), reads: .monitor { _ in nil }),
        monitorLevel(
            "monitor-level", MonitorSettings.levels, standard: "0",
            "gain of the ears, without effect on recordings and meters", \.level),
        monitorSwitch("dim", "lowers the level of the ears by dim-level", \.isDimmed),
        monitorLevel("dim-level", -60...0, standard: "-20", "gain of the ears while dim is on", \.dimLevel),
        monitorSwitch("monitor-mute", "mutes the ears; recordings and meters continue", \.isMuted),
        monitorSwitch("mono", "plays the mean of both ears at each ear", \.isMono),
        Parameter(
            "calibrated-level", .monitor, subsection: .calibration, [Number(unit: "dB SPL", range: 30...120)],
            "measured sound pressure level of test-noise with monitor-level 0", isChoice: false,
            traits: [.isUnsetAtFirst, .isOrdered],
            effect: .monitor { settings, value in
                settings.calibratedLevel = value.numbers.first
                return nil
            }, reads: .monitor { $0.calibratedLevel.map { .number($0) } }),
        Parameter(
            "reference-level", .monitor, subsection: .calibration, [Number(unit: "dB SPL", range: 30...120)],
            "sets monitor-level so that pink noise at -20 dBFS RMS has this sound pressure level; needs calibrated-level",
            isChoice: false, traits: [.isOrdered, .isDerived], effect: .monitor { $0.setReference($1.number) },
            reads: .monitor { $0.reference.map { .number($0) } }),
        Parameter(
            "fold-down", .monitor, subsection: .comparing, words: ["none"] + MonitorSettings.foldDowns,
            standard: "none",
            "plays the fold-down to a narrower layout, at the loudspeaker positions of that layout", isChoice: false,
            effect: .listening(.foldDown), reads: .monitor { .word($0.foldDown ?? "none") }),
        Parameter(
            "compare", .monitor, subsection: .comparing,
            words: ["off"] + MonitorSettings.Comparison.allCases.map(\.rawValue),
            standard: "off",
            "sets the mode of all inputs for a comparison; bypass (no stage) is as loud as the stage; off restores their modes",
            isChoice: false,
            effect: .listening(.compare), reads: .monitor { .word($0.comparison?.rawValue ?? "off") }),
    ]

    /// Returns the parameter of a level of the section, dB.
    package static func monitorLevel(
        _ id: String, subsection: Subsection? = nil, _ range: ClosedRange<Double>, standard: String, _ help: String,
        _ number: any WritableKeyPath<MonitorSettings, Double> & Sendable
    ) -> Parameter {
        Parameter(
            id, .monitor, subsection: subsection, [Number(unit: "dB", range: range)], standard: standard, help,
            isChoice: false,
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
