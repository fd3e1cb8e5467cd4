/// What a command is about: a later one about the same takes its place.
struct CommandSubject: Hashable, Sendable {
    /// The parameter or question.
    var word: String
    /// Whether a parameter is given a word instead of numbers: it keeps its own place.
    var isWord = false
    /// The input it is said to; nil: all, or the session.
    var input: String?
    /// Whether it is only asked for.
    var isQuestion = false

    /// Whether the order of the two matters: one is said to all inputs and the other to one of them, or both say something of
    /// the same thing (`upmix` and `upmix-centre`, a level and `off`).
    func overlaps(_ other: CommandSubject) -> Bool {
        self != other && family == other.family && (input == nil || other.input == nil || input == other.input)
    }

    /// What its name begins with.
    private var family: Substring { word.prefix { $0 != "-" } }
}

extension SessionCommand {
    /// What a command is about, where a later one about the same makes it superfluous; nil where each must be carried out.
    var subject: CommandSubject? {
        switch self {
        case .set(let change): change.subject
        case .status: CommandSubject(word: "status", isQuestion: true)
        case .loudness(reset: false): CommandSubject(word: "loudness", isQuestion: true)
        case .loudness, .recentre, .playback, .preview, .start, .quit: nil
        }
    }
}

extension ParameterChange {
    /// What it is about; nil for what depends on the order in which it is said.
    fileprivate var subject: CommandSubject? {
        switch Parameter.named(parameter)?.effect {
        // A target needs a loudness that was said before it.
        case .dynamics, .stage, nil: nil
        case .controls, .upmix, .tracking, .room:
            // Turned twice is not turned once.
            if value == .word("toggle") {
                nil
            } else {
                CommandSubject(word: parameter, isWord: !value.word.isEmpty, input: input)
            }
        }
    }
}
