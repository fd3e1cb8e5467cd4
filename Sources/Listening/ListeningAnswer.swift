/// What a listener says of two sounds that were heard one after the other.
package enum ListeningAnswer: String, Sendable, Codable, CaseIterable {
    /// The one called 1 was better.
    case first = "1"
    /// The one called 2 was better.
    case second = "2"
    /// Neither, as far as could be heard.
    case unsure = "u"

    /// As a person writes it: `1`, `a`, `first`; `2`, `b`, `second`; `u`, `unsure`, `=`, `tie`. Nil for anything else.
    package init?(written text: String) {
        switch text.lowercased() {
        case "1", "a", "first": self = .first
        case "2", "b", "second": self = .second
        case "u", "unsure", "=", "tie": self = .unsure
        default: return nil
        }
    }
}
