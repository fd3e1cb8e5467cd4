/// A listener's answer about two sounds that were heard one after the other.
package enum ListeningAnswer: String, Sendable, Codable, CaseIterable {
    /// The sound called 1 was better.
    case first = "1"
    /// The sound called 2 was better.
    case second = "2"
    /// No difference in favour of either was heard.
    case unsure = "u"

    /// Parses a written answer: `1`, `a`, `first`; `2`, `b`, `second`; `u`, `unsure`, `=`, `tie`. Nil for other text.
    package init?(written text: String) {
        switch text.lowercased() {
        case "1", "a", "first": self = .first
        case "2", "b", "second": self = .second
        case "u", "unsure", "=", "tie": self = .unsure
        default: return nil
        }
    }
}
