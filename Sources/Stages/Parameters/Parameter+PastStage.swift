import AudioIO

/// Parameters of the inputs that bypass the stage.
extension Parameter {
    /// Reference input and talkback.
    package static let past: [Parameter] = [
        input(
            "reference-input", .reference,
            "gives the session ports ref_L and ref_R, for something to compare the stage with"),
        Parameter(
            "monitor-source", .monitor, words: ["stage", "reference", "toggle"], standard: "stage",
            "what the ears hear: the stage, or the reference in its place; recordings and meters stay the stage's",
            isChoice: false,
            effect: .monitor { settings, value in
                let wants = value == .word("toggle") ? !settings.hearsReference : value == .word("reference")
                return settings.hear(reference: wants)
            },
            reads: .monitor { .word($0.hearsReference ? "reference" : "stage") }),
        monitorLevel(
            "reference-trim", -60...20, standard: "0",
            "makes the reference louder or softer, as for a comparison at the same loudness", \.referenceTrim),
        input(
            "talkback-input", .talkback,
            "gives the session a port talkback, for a voice that speaks to the listener"),
        Parameter(
            "talkback", .monitor, words: switchWords, standard: "off",
            "has the voice at talkback heard, and all else turned down by talkback-dim", isChoice: false,
            effect: .monitor { settings, value in
                var isTalking = settings.isTalking
                flip(&isTalking, value)
                return settings.talk(isTalking)
            }, reads: .monitor { .isOn($0.isTalking) }),
        monitorLevel(
            "talkback-level", -60...20, standard: "0",
            "how loud the talkback is, whatever monitor-level says", \.talkbackLevel),
        monitorLevel(
            "talkback-dim", -60...0, standard: "-20",
            "by how much the ears are turned down while talkback is on", \.talkbackDim),
    ]

    /// Returns the switch for inputs that bypass the stage.
    private static func input(_ id: String, _ input: MonitorInputs, _ help: String) -> Parameter {
        Parameter(
            id, .monitor, words: switchWords, standard: "off", help, effect: .listening(.have(input)),
            reads: .monitor { .isOn($0.inputs.contains(input)) })
    }
}
