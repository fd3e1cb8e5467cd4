/// How a session carries out a command: a column of the table of commands.
package struct CommandExecution: Sendable {
    /// Order in which the queue carries out a command.
    package enum Order: Sendable {
        /// After all earlier commands except those in lanes; later commands wait for its end.
        case inTurn
        /// Begins in turn. No other command waits for its end, which may be seconds later.
        case atItsFrame
        /// After the earlier commands in the lane. Commands outside the lane do not wait for its end, or, if
        /// `isAwaited`, for at most 250 ms.
        case beside(Lane, isAwaited: Bool)
    }

    /// Lanes of slow commands. Each command waits for the earlier ones in its lane.
    package enum Lane: Sendable {
        /// Work on plugins and stages, and their undo.
        case stages
        /// Work on recordings.
        case recordings
    }

    /// What a command may change.
    package enum Change: Sendable {
        /// No value in force.
        case nothing
        /// Values in force.
        case values
        /// The content of plugin chains, and values in force.
        case chains
    }

    /// Conditions without which a session refuses a command.
    package enum Condition: Sendable, CaseIterable {
        /// No two scenes are compared blind: the effect of the command, or its refusal, could identify the heard scene.
        case noBlindComparison
        /// A head tracker is in use.
        case headTracker

        /// Reason of the refusal.
        package var refusal: String {
            switch self {
            case .noBlindComparison: "two scenes are being compared blind; 'abx off' ends that"
            case .headTracker: "there is no head tracker to recentre"
            }
        }
    }

    /// Order in the queue.
    package let order: Order
    /// What the command may change.
    package let change: Change
    /// Conditions without which a session refuses the command.
    package let conditions: Set<Condition>

    /// Creates the execution of most actions: in turn, with a change of values, and without conditions, unless stated
    /// otherwise.
    package init(order: Order = .inTurn, change: Change = .values, conditions: Set<Condition> = []) {
        (self.order, self.change, self.conditions) = (order, change, conditions)
    }

    /// In turn, without a change of values.
    static let withoutChange = CommandExecution(change: .nothing)
    /// In turn; requires a head tracker.
    static let ofHead = CommandExecution(conditions: [.headTracker])
    /// In the lane of recordings. The end of a recording is written to the disk, which may be slow.
    static let ofRecordings = CommandExecution(order: .beside(.recordings, isAwaited: true))
    /// In the lane of stages. Later commands may rely on the result, and therefore wait for at most 250 ms. Most steps
    /// of the history are complete by then; the build of a stage is not.
    static let ofHistory = CommandExecution(
        order: .beside(.stages, isAwaited: true), change: .nothing, conditions: [.noBlindComparison])

    /// In the lane of stages, for plugins.
    static func ofPlugins(_ change: Change) -> CommandExecution {
        CommandExecution(
            order: .beside(.stages, isAwaited: false), change: change, conditions: [.noBlindComparison])
    }
}

/// Programs that carry out commands.
package struct CommandPrograms: OptionSet, Sendable {
    /// The programs as bits.
    package let rawValue: Int

    /// Creates a set from its bits.
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// A session, live or as part of a preview.
    package static let session = CommandPrograms(rawValue: 1)
    /// The player of a preview.
    package static let preview = CommandPrograms(rawValue: 2)
    /// The measurement of a person or of headphones.
    package static let measurement = CommandPrograms(rawValue: 4)
    /// The capture of a microphone array.
    package static let capture = CommandPrograms(rawValue: 8)
    /// The programs with a desk. Their control interfaces accept each other's addresses, and the program refuses what
    /// it does not carry out.
    package static let desk: CommandPrograms = [.session, .preview, .measurement]

    /// Reason for which a session refuses the commands of these programs; nil if a session carries them out.
    package var refusal: String? {
        if contains(.session) { return nil }
        return switch self {
        case .preview: "no file is played here that could be sought or held; that is what 'preview' does"
        case .measurement:
            "nothing is measured here; that is what 'measure me --panel PORT' and 'measure headphones --panel PORT' do"
        default: "no microphones are captured here; that is what 'capture' does"
        }
    }
}
