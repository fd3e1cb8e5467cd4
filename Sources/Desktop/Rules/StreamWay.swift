/// How a program's stream reaches the ears.
package enum StreamWay: String, Hashable, Sendable, CaseIterable {
    /// Without upmix: each channel is played by the virtual loudspeaker with the channel's name.
    case plain
    /// Mono and stereo are upmixed to the virtual loudspeakers; other formats are played as with `plain`.
    case upmix
    /// Two channels directly to the two ears, without virtual loudspeakers.
    case past
    /// By virtual loudspeakers, through an input of its own with a level and a place (direction) of its own.
    case own

    /// Names of all ways.
    package static let words = allCases.map(\.rawValue)
}

/// Decision of the rules on one stream.
package struct StreamDecision: Hashable, Sendable {
    /// The way; nil: that of the main sink, because no rule fits.
    package var way: StreamWay?
    /// Name of the session's input to which the stream goes. If the session has no such input, the stream goes to
    /// `main`.
    package var input: String
    /// The rule that decided.
    package var reason: Reason

    /// Rules, in the order in which they decide.
    package enum Reason: Hashable, Sendable {
        /// The user's rule for the application, by the name in the rule.
        case application(String)
        /// The user's rule for the role, by the name in the rule.
        case role(String)
        /// The application is a known program for calls.
        case call
        /// The role is one of sound that bypasses the virtual loudspeakers, such as `Notification`.
        case kind(String)
        /// The user's default.
        case usual
        /// No rule fits.
        case noRule

        /// The rule in words, such as "your rule for 'Firefox'".
        package var words: String {
            switch self {
            case .application(let name): "your rule for '\(name)'"
            case .role(let role): "your rule for the role \(role)"
            case .call: "a program for calls"
            case .kind(let role): "the role \(role)"
            case .usual: "your default"
            case .noRule: "the default"
            }
        }
    }

    /// Whether the user's rule for this application decided. Such a rule also applies to a stream that plays to a sink
    /// of another program.
    package var isOfApplication: Bool { if case .application = reason { true } else { false } }
}
