/// Parameters of scenes, blind comparisons and the print bus.
extension Parameter {
    /// Actions on stages that need more than a value.
    package enum StagingAct: Sendable {
        /// Switches to a scene.
        case scene
        /// Releases a scene.
        case clearScene
        /// Switches the print bus.
        case print
        /// Begins or ends a blind comparison.
        case trial
        /// Selects the sound of a blind comparison.
        case listen
        /// Records an answer: whether X was A or B.
        case answer
    }

    /// Scenes, blind comparison, and the print bus.
    package static let staging: [Parameter] = [
        Parameter(
            "scene", .scenes, words: SceneFacts.names, standard: "a",
            "switches to a scene, with its layout, set, room and chains; a new scene begins as a copy of the present one",
            isChoice: false, traits: [.isMomentary], effect: .staging(.scene), reads: .staging { .word($0.scene) }),
        Parameter(
            "scene-clear", .scenes, words: SceneFacts.names, "removes a scene that is not heard", isChoice: false,
            traits: [.isMomentary], effect: .staging(.clearScene), reads: .staging { _ in nil }),
        Parameter(
            "abx", .scenes, subsection: .blind, words: ["off"] + pairs, standard: "off",
            "compares two scenes blind, as A, B, and an X that is one of them; off ends the comparison and prints the result",
            isChoice: false, traits: [.isMomentary], effect: .staging(.trial), reads: .staging { .word($0.trial) }),
        Parameter(
            "abx-listen", .scenes, subsection: .blind, words: BlindTrial.Sound.allCases.map(\.rawValue),
            "plays A, B or X of abx", isChoice: false, traits: [.isMomentary], effect: .staging(.listen),
            reads: .staging { $0.sound.map { .word($0) } }),
        Parameter(
            "abx-answer", .scenes, subsection: .blind, words: ["a", "b"],
            "answers whether X was A or B, and draws another X",
            isChoice: false, traits: [.isMomentary], effect: .staging(.answer), reads: .staging { _ in nil }),
        Parameter(
            "print-bus", .scenes, subsection: .printing, words: ["on", "off", "toggle"], standard: "off",
            "plays the stage at print_L and print_R as render --limiter off does: head to the front, no plugins at the "
                + "ears, no monitor section", isChoice: false, effect: .staging(.print),
            reads: .staging { .isOn($0.hasPrint) }),
    ]

    /// Pairs of scenes, for example `ab`.
    private static let pairs = SceneFacts.names.indices.flatMap { a in
        SceneFacts.names[(a + 1)...].map { SceneFacts.names[a] + $0 }
    }

    /// Whether setting the parameter takes time, during which other commands are carried out.
    package var takesAWhile: Bool {
        switch effect {
        case .stage, .staging: true
        default: false
        }
    }
}
