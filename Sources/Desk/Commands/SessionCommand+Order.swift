import Racks
import Stages

/// Subject of a command. A later command of the same subject replaces an earlier one that still waits.
package struct CommandSubject: Hashable, Sendable {
    /// Name of the parameter or query.
    package var word: String
    /// Whether the value is a word instead of numbers. Words are not replaced.
    package var isWord = false
    /// The input of the command; nil: all inputs, or the session.
    package var input: String?
    /// Whether the command is a query.
    package var isQuestion = false

    /// Returns whether the order of two subjects matters: one addresses all inputs and the other a single input, or
    /// both set the same quantity (`upmix` and `upmix-centre`, a level and `off`).
    package func overlaps(_ other: CommandSubject) -> Bool {
        self != other && family == other.family && (input == nil || other.input == nil || input == other.input)
    }

    /// First part of the name, up to the hyphen.
    private var family: Substring { word.prefix { $0 != "-" } }
}

extension SessionCommand {
    /// Order in which the queue carries out a command.
    package enum Order: Sendable {
        /// After all earlier commands; the later ones wait for it.
        case inTurn
        /// The command begins after all earlier ones. No other command waits for its end, which may be seconds later.
        case atItsFrame
        /// After the earlier commands in the lane. Other commands do not wait for it; if `isAwaited`, later ones wait
        /// for at most 250 ms.
        case beside(Lane, isAwaited: Bool)
    }

    /// Lanes of slow commands. Each command waits for the earlier ones in its lane.
    package enum Lane: Sendable {
        /// Work on plugins and stages, and their undo.
        case stages
        /// Work on recordings.
        case recordings
    }

    /// Order of the command.
    package var order: Order {
        switch self {
        case .start: .atItsFrame
        case .plugin: .beside(.stages, isAwaited: false)
        // The end of a recording is written to the disk, which may be slow.
        case .record: .beside(.recordings, isAwaited: true)
        // Most of these complete at once, and later commands may rely on the result. The build of a stage takes longer
        // than they wait.
        case .history: .beside(.stages, isAwaited: true)
        case .set(let change): change.parameter.takesAWhile ? .beside(.stages, isAwaited: false) : .inTurn
        case .recentre, .playback, .preview, .loudness, .calibration, .measurement, .capture, .surface, .status,
            .picture, .quit:
            .inTurn
        }
    }

    /// Whether the command may change values in force.
    package var changesState: Bool {
        switch self {
        case .status, .picture, .loudness, .quit, .start, .plugin(.list), .plugin(.known), .plugin(.describe),
            .plugin(.about), .plugin(.save), .plugin(.midi), .history, .measurement, .capture:
            false
        case .recentre, .set, .playback, .record, .preview, .plugin, .calibration, .surface: true
        }
    }

    /// Whether the command changes the content of plugin chains.
    package var changesChains: Bool {
        switch self {
        case .plugin(.add), .plugin(.remove), .plugin(.move), .plugin(.replace), .plugin(.load), .plugin(.preset): true
        default: false
        }
    }

    /// Whether the command switches between scenes or belongs to a blind comparison.
    package var turnsToScene: Bool {
        guard case .set(let change) = self, case .staging(let act) = change.parameter.effect else { return false }
        return act != .print
    }

    /// Whether the command concerns plugins.
    package var isOfPlugins: Bool { if case .plugin = self { true } else { false } }

    /// The history command; nil for any other command.
    package var history: HistoryCommand? { if case .history(let request) = self { request } else { nil } }

    /// Subject of a command that a later one of the same subject makes superfluous; nil if each command must be carried
    /// out.
    package var subject: CommandSubject? {
        switch self {
        case .set(let change): change.subject
        case .status: CommandSubject(word: "status", isQuestion: true)
        case .picture: CommandSubject(word: "picture", isQuestion: true)
        case .loudness(reset: false): CommandSubject(word: "loudness", isQuestion: true)
        case .plugin(.list): CommandSubject(word: "plugin", isQuestion: true)
        case .plugin(.known): CommandSubject(word: "plugin/known", isQuestion: true)
        case .loudness, .recentre, .playback, .record, .preview, .plugin, .calibration, .measurement, .capture,
            .surface, .start, .history, .quit:
            nil
        }
    }
}

extension ParameterChange {
    /// Subject of the change; nil if each change must be carried out.
    fileprivate var subject: CommandSubject? {
        switch parameter.effect {
        // A target needs an earlier loudness.
        case .dynamics, .stage, .staging: nil
        // A reference level sets the monitor's level.
        case _ where parameter.traits.contains(.isOrdered): nil
        case .controls, .upmix, .tracking, .room, .headphones, .monitor, .loudspeaker, .listening:
            // Two toggles differ from one.
            if value == .word("toggle") {
                nil
            } else {
                CommandSubject(word: parameter.id, isWord: !value.word.isEmpty, input: input)
            }
        }
    }
}
