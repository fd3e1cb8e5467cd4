/// What a listener is asked of two sounds: one plain question in each round.
package enum ListeningQuestion: String, Sendable, Codable, CaseIterable {
    /// Whether sound is heard outside the head.
    case outside
    /// Whether what is in front is told from what is behind.
    case frontBack = "front-back"
    /// Whether what is above and below is heard there.
    case elevation

    /// The question, as it is asked.
    package var words: String {
        switch self {
        case .outside: "Which one sounds more outside your head?"
        case .frontBack: "Which one lets you tell front from back better?"
        case .elevation: "Which one lets you hear better what is above and below?"
        }
    }

    /// The questions of a word of the command line: one of them, or `all`, in turn. Nil for anything else.
    package static func named(_ word: String) -> [ListeningQuestion]? {
        word == "all" ? allCases : Self(rawValue: word).map { [$0] }
    }

    /// The words there are, for help texts.
    package static var names: [String] { ["all"] + allCases.map(\.rawValue) }
}
