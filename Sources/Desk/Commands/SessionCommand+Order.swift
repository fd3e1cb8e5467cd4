import Stages

/// Subject of a command. A later command of the same subject may replace an earlier one that still waits.
package struct CommandSubject: Hashable, Sendable {
    /// Name of the parameter or query.
    package var word: String
    /// Whether the value is a word instead of numbers. Words are not replaced.
    package var isWord = false
    /// The input or loudspeaker of the command; nil: all of them, or the session.
    package var input: String?
    /// Whether the command is a query.
    package var isQuestion = false

    /// Returns whether the order of two subjects matters: they belong to the same quantity (`upmix` and `upmix-centre`,
    /// a level and `off`), and to the same input, or one of them to all inputs.
    package func overlaps(_ other: CommandSubject) -> Bool {
        self != other && family == other.family && (input == nil || other.input == nil || input == other.input)
    }

    /// First part of the name, up to the hyphen.
    private var family: Substring { word.prefix { $0 != "-" } }
}

extension SessionCommand {
    /// How a session carries out the command: by its row, or by the parameter that it sets.
    package var execution: CommandExecution {
        if case .set(let change) = self {
            return CommandExecution(order: change.parameter.takesAWhile ? .beside(.stages, isAwaited: false) : .inTurn)
        }
        return Command.row(of: self)?.execution ?? CommandExecution()
    }

    /// Whether the command switches between scenes or belongs to a blind comparison.
    package var turnsToScene: Bool {
        guard case .set(let change) = self, case .staging(let act) = change.parameter.effect else { return false }
        return act != .print
    }

    /// Whether the command concerns plugins.
    package var isOfPlugins: Bool { if case .plugin = self { true } else { false } }

    /// The history command; nil for any other command.
    package var history: SessionCommand.History? { if case .history(let request) = self { request } else { nil } }

    /// Subject of a command that a later one of the same subject may make superfluous; nil if each command must be
    /// carried out.
    package var subject: CommandSubject? {
        if case .set(let change) = self { return change.subject }
        return Command.queryID(of: self).map { CommandSubject(word: $0, isQuestion: true) }
    }
}

extension ParameterChange {
    /// Subject of the change; nil if each change must be carried out.
    fileprivate var subject: CommandSubject? {
        switch parameter.effect {
        // A target depends on a loudness that was set before.
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
