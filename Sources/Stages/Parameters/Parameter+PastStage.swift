import AudioIO

/// Parameters of the inputs that bypass the stage, and of a listener who looks away from it.
extension Parameter {
    /// Level, angle and delay for a listener who looks away.
    package static let away: [Parameter] = [
        Parameter(
            "look-away", .monitor, subsection: .lookAway, [Number(unit: "dB", range: -60...0)], words: ["off"],
            standard: "off",
            "gain of the ears while the listener looks away for longer than look-away-delay; needs a head tracker",
            effect: .monitor { settings, value in
                settings.awayLevel = value.numbers.first
                return nil
            }, reads: .monitor { $0.awayLevel.map { .number($0) } ?? .word("off") }),
        Parameter(
            "look-away-angle", .monitor, subsection: .lookAway, [Number(unit: "degrees", range: 20...180)],
            standard: "60",
            "angle from the front, in any direction, beyond which the listener looks away",
            effect: .monitor { settings, value in
                settings.awayAngle = value.number
                return nil
            }, reads: .monitor { .number($0.awayAngle) }),
        Parameter(
            "look-away-delay", .monitor, subsection: .lookAway, [Number(unit: "s", range: 0...600)], standard: "10",
            "time for which the listener must look away before look-away acts",
            effect: .monitor { settings, value in
                settings.awayDelay = value.number
                return nil
            }, reads: .monitor { .number($0.awayDelay) }),
    ]

    /// Reference input and talkback.
    package static let past: [Parameter] = [
        input(
            "reference-input", .reference, .comparing,
            "adds ports ref_L and ref_R, for a reference to compare the stage with"),
        Parameter(
            "monitor-source", .monitor, subsection: .comparing, words: ["stage", "reference", "toggle"],
            standard: "stage",
            "sound at the ears: the stage, or the reference instead; recordings and meters are always of the stage",
            isChoice: false,
            effect: .monitor { settings, value in
                let wants = value == .word("toggle") ? !settings.hearsReference : value == .word("reference")
                return settings.hear(reference: wants)
            },
            reads: .monitor { .word($0.hearsReference ? "reference" : "stage") }),
        monitorLevel(
            "reference-trim", subsection: .comparing, -60...20, standard: "0",
            "gain of the reference, for a comparison at equal loudness", \.referenceTrim),
        input(
            "talkback-input", .talkback, .talkback,
            "adds a port talkback, for a voice that speaks to the listener"),
        Parameter(
            "talkback", .monitor, subsection: .talkback, words: switchWords, standard: "off",
            "plays the voice at the port talkback, and lowers all other sound by talkback-dim", isChoice: false,
            traits: [.isMomentary],
            effect: .monitor { settings, value in
                var isTalking = settings.isTalking
                flip(&isTalking, value)
                return settings.talk(isTalking)
            }, reads: .monitor { .isOn($0.isTalking) }),
        monitorLevel(
            "talkback-level", subsection: .talkback, -60...20, standard: "0",
            "gain of the talkback, independent of monitor-level", \.talkbackLevel),
        monitorLevel(
            "talkback-dim", subsection: .talkback, -60...0, standard: "-20",
            "gain of the other sound while talkback is on", \.talkbackDim),
    ]

    /// Returns the switch for inputs that bypass the stage.
    private static func input(_ id: String, _ input: MonitorInputs, _ subsection: Subsection, _ help: String)
        -> Parameter
    {
        Parameter(
            id, .monitor, subsection: subsection, words: switchWords, standard: "off", help,
            effect: .listening(.have(input)),
            reads: .monitor { .isOn($0.inputs.contains(input)) })
    }
}
