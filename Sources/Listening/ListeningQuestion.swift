/// Question that a listener answers about two sounds. Each round has one question.
package enum ListeningQuestion: String, Sendable, Codable, CaseIterable {
    /// Whether sound is heard outside the head.
    case outside
    /// Whether front and back can be distinguished.
    case frontBack = "front-back"
    /// Whether sounds above and below are heard at their elevations.
    case elevation

    /// Text of the question.
    package var words: String {
        switch self {
        case .outside: "Which one sounds more outside your head?"
        case .frontBack: "Which one lets you tell front from back better?"
        case .elevation: "Which one lets you hear better what is above and below?"
        }
    }

    /// Returns the questions for a word of the command line: one question, or all for `all`. Nil for other words.
    package static func named(_ word: String) -> [ListeningQuestion]? {
        word == "all" ? allCases : Self(rawValue: word).map { [$0] }
    }

    /// Accepted words, for help texts.
    package static var names: [String] { ["all"] + allCases.map(\.rawValue) }
}
