import Capture
import Gate
import HeadTracking
import Racks
import Stages

/// One row of the table of commands: any command except setting a parameter, for all control interfaces.
///
/// A row holds the name, arguments and purpose of a command, and reads and writes its arguments. `Command.all` holds
/// the rows of all programs; `Command.rows(of:)` has those that the control interfaces of some programs accept. The
/// control interfaces (OSC, JSON, `ctl`, control surfaces, lines of a capture's standard input) and the pages (OSC
/// Query, help, the reference) all use this table.
package struct Command: Sendable, Identifiable {
    /// Kinds of commands.
    package enum Kind: Sendable, Equatable {
        /// The session performs an action.
        case deed
        /// The session replies with data, and changes no value in force.
        case question
        /// The control interface itself performs the action.
        case door(DoorCommand)
    }

    /// Effects of a button that is bound to a command. The button sends 1 or true when it is pressed, 0 or false when
    /// it is released.
    package enum Button: Sendable {
        /// A button cannot give the arguments that the command requires.
        case unusable
        /// A press performs the command without arguments; a release does nothing.
        case press
        /// A press is on, a release is off.
        case state
    }

    /// Sections of the panel that contain commands.
    package enum Section: String, Sendable {
        /// The header, and the quick controls.
        case header, hand
        /// The sections with headings.
        case meters, player, tracking, plugins, routes, session
        /// The dialog of a calibration, and the page of a measurement.
        case calibration, measurement
    }

    /// Address after `/proscenium/`; `NAME` in it stands for a plugin's name.
    package let id: String
    /// Arguments of the command, in order.
    package let arguments: [CommandArgument]
    /// Purpose of the command, a phrase.
    package let help: String
    /// Kind of the command.
    package let kind: Kind
    /// Programs that carry out the command.
    package let programs: CommandPrograms
    /// Syntax as a line of a capture's standard input, for example `marker [NAME]`; nil if no line means the command.
    package let line: String?
    /// How a session carries out the command.
    package let execution: CommandExecution
    /// Section of the panel in which the panel makes a button for the command; nil: the panel makes none.
    package private(set) var section: Section?
    /// Timeout of the reply, seconds.
    package let patience: Int
    /// Form on the command line; nil if the command line lacks the command.
    package let form: CommandForm?
    /// Converts arguments to a command. Returns nil if the arguments are not valid, with the reason in the reader.
    let reads: @Sendable (inout CommandReader) -> SessionCommand?
    /// Returns the arguments that request a command. If the address contains a plugin's name, that name comes first.
    /// Returns nil for a command of another row.
    let writes: @Sendable (SessionCommand) -> [CommandValue]?
    /// Returns a command with absolute paths that the origin may access; nil for a command of another row.
    let admits: @Sendable (SessionCommand, WriteGate, PathOrigin) throws(PathRefusal) -> SessionCommand?

    /// Creates a row; see the properties. `reads`: makes a command of the arguments' values. `writes`: returns the
    /// values that request a command; nil for a command of another row.
    init<Value: Sendable>(
        _ id: String, _ help: String, _ arguments: CommandArguments<Value>, kind: Kind = .deed,
        in programs: CommandPrograms = .session, line: String? = nil, execution: CommandExecution? = nil,
        section: Section? = nil, patience: Int = 3, form: CommandForm? = nil,
        reads: @escaping @Sendable (Value) -> SessionCommand, writes: @escaping @Sendable (SessionCommand) -> Value?
    ) {
        (self.id, self.arguments, self.help, self.kind, self.patience) = (id, arguments.list, help, kind, patience)
        (self.programs, self.line, self.section, self.form) = (programs, line, section, form)
        self.execution = execution ?? (kind == .deed ? CommandExecution() : .withoutChange)
        self.reads = { words in
            guard let value = arguments.read(&words) else { return nil }
            return reads(value)
        }
        self.writes = { command in
            guard let value = writes(command) else { return nil }
            return arguments.write(value)
        }
        admits = { command, gate, origin throws(PathRefusal) in
            guard let value = writes(command) else { return nil }
            return reads(try arguments.admit(value, gate, origin))
        }
    }

    /// Creates a row without arguments for one command. `isUsual`: whether `written(_:)` uses this row for the command.
    init(
        _ id: String, _ help: String, kind: Kind = .deed, in programs: CommandPrograms = .session, line: String? = nil,
        execution: CommandExecution? = nil, section: Section? = nil, patience: Int = 3, form: CommandForm? = nil,
        means command: SessionCommand, isUsual: Bool = true
    ) {
        self.init(
            id, help, CommandArguments<Void>.nothing, kind: kind, in: programs, line: line, execution: execution,
            section: section, patience: patience, form: form, reads: { _ in command },
            writes: { said in
                guard isUsual, said == command else { return nil }
                return .some(())
            })
    }

    /// Creates the row of a command that the control interfaces carry out. The interfaces read the arguments
    /// themselves.
    init(
        door: DoorCommand, _ help: String, _ argument: CommandArgument, in programs: CommandPrograms = .session,
        section: Section? = nil
    ) {
        (id, arguments, self.help, kind, patience) = (door.rawValue, [argument], help, .door(door), 3)
        (self.programs, line, self.section, form) = (programs, nil, section, nil)
        execution = .withoutChange
        reads = { _ in nil }
        writes = { _ in nil }
        admits = { _, _, _ in nil }
    }

    /// Returns the row with a section, if it has none of its own.
    func shown(in section: Section) -> Command {
        var row = self
        row.section = self.section ?? section
        return row
    }
}

/// The commands to a running session, the same for all control interfaces.
package enum SessionCommand: Sendable, Equatable {
    /// Makes the present direction of the head the front.
    case recentre(HeadTracker.Recentring)
    /// Sets a parameter of the table.
    case set(ParameterChange)
    /// Resumes after a lost route, or begins or ends an interruption.
    case playback(Playback)
    /// Starts or completes a recording of the binaural output, or sets a marker in it.
    case record(Recording)
    /// Carries out a command for the player of a preview; a session alone refuses it.
    case preview(Player)
    /// Sets stream time 0 and restarts the stage from silence: at the given JACK frame, or at the next period (nil).
    case start(frame: UInt32?)
    /// Returns the loudness of inputs and ears, or resets integrated loudness, range and maxima.
    case loudness(reset: Bool)
    /// Carries out a command for the plugins.
    case plugin(PluginCommand)
    /// Carries out a command for the calibration of a tracker's mounting.
    case calibration(Calibration)
    /// Carries out a command for the measurement of a person; a session refuses it.
    case measurement(Measurement)
    /// Makes a request to a capture; a session refuses it.
    case capture(CaptureRequest)
    /// Starts or cancels the learn mode of a control surface.
    case surface(Surface)
    /// Undoes the newest change, or redoes the change that was undone last.
    case history(History)
    /// Returns the state.
    case status
    /// Returns the description of the stage, and the available choices.
    case picture
    /// Returns the values in force.
    case state
    /// Ends the session.
    case quit
}

extension SessionCommand {
    /// Commands for the history of changes.
    package enum History: String, Sendable, Equatable, CaseIterable {
        /// Undoes the newest command that changed a value.
        case undo
        /// Redoes the change that was undone last.
        case redo
    }
}

/// Commands that the control interfaces carry out themselves. The value is the command's address.
package enum DoorCommand: String, Sendable, Equatable, CaseIterable {
    /// Sends the state to the sender periodically.
    case watch
    /// Sends every new value to the sender from now on.
    case subscribe
    /// Ends a subscription.
    case unsubscribe
    /// Opens the control interface to a sender on another machine.
    case token
}

extension Command {
    /// Commands of the session as a whole, and of the control interfaces themselves.
    static let session: [Command] = [
        Command(
            "recentre",
            "makes the head's present direction the front, in `yaw` or in all angles (`full`); `reset` undoes this",
            perhaps(
                .word(
                    HeadTracker.Recentring.self, name: "axes",
                    help: "yaw, full (pitch and roll too) or reset (back to the trackers' own zero).",
                    usual: HeadTracker.Recentring.yaw.rawValue,
                    others: [
                        .init("full", .flag(["full"]), "The same as 'full'.", isHidden: true),
                        .init("reset", .flag(["reset"]), "The same as 'reset'.", isHidden: true),
                    ]), else: .yaw), execution: .ofHead, section: .hand, form: CommandForm("recentre"),
            reads: { .recentre($0) }, writes: { if case .recentre(let axes) = $0 { axes } else { nil } }),
        Command(
            "recentre/yaw", "makes the head's present direction the front, in yaw alone", execution: .ofHead,
            section: .tracking, means: .recentre(.yaw), isUsual: false),
        Command(
            "recentre/full", "makes the head's present direction the front, in all three angles", execution: .ofHead,
            section: .tracking, means: .recentre(.full), isUsual: false),
        Command(
            "recentre/reset", "undoes all recentring", execution: .ofHead, section: .tracking,
            means: .recentre(.reset), isUsual: false),
        Command(
            "start", "sets stream time 0, now or at a JACK frame", perhaps(frame),
            execution: CommandExecution(order: .atItsFrame, change: .nothing), section: .routes, patience: 15,
            form: CommandForm(
                "start --at 4800000", remark: "The stage restarts from silence. Prints the frame, and when it is heard."
            ),
            reads: { .start(frame: $0) }, writes: { if case .start(let frame) = $0 { .some(frame) } else { nil } }),
        Command(
            "status", "answers with the status as JSON", kind: .question, in: [.session, .capture], section: .session,
            means: .status),
        Command(
            "picture",
            "answers with the positions of the loudspeakers, and the known layouts, sets and rooms, as JSON",
            kind: .question, section: .session, form: CommandForm("picture"), means: .picture),
        Command(
            "state", "answers with every value in force, by its address, as JSON", kind: .question, section: .session,
            form: CommandForm("state"), means: .state),
        Command(
            "loudness", "answers with the loudness meters as JSON; `reset` restarts them",
            perhaps(.text("'reset'") { $0 == "reset" ? $0 : nil }), kind: .question, section: .meters,
            reads: { .loudness(reset: $0 != nil) },
            writes: { if case .loudness(let resets) = $0 { .some(resets ? "reset" : nil) } else { nil } }),
        Command(
            "loudness/reset", "restarts the loudness meters", execution: .withoutChange, section: .meters,
            means: .loudness(reset: true), isUsual: false),
        Command(
            door: .watch, "sends status and pose to the sender, a number of times per second, for 30 s; over UDP alone",
            CommandArgument("a number of times per second, 0.05 to 100, or 0 to end", type: "f", range: 0...100),
            in: [.session, .capture]),
        Command(
            door: .subscribe, "sends every new value: all, or only `state`, `events`, `meters`, `pose`",
            CommandArgument("any of state, events, meters, pose", isOptional: true), section: .session),
        Command(
            door: .unsubscribe, "ends the subscription",
            CommandArgument("the HOST:PORT that was named", isOptional: true), section: .session),
        Command(
            door: .token, "opens OSC to a client on another machine that sends the session's token",
            CommandArgument("this session's token"), section: .session),
        Command(
            "undo", "undoes the newest change", execution: .ofHistory, section: .header, patience: 60,
            form: CommandForm("undo"), means: .history(.undo)),
        Command(
            "redo", "repeats the change that was undone", execution: .ofHistory, section: .header, patience: 60,
            form: CommandForm("redo"), means: .history(.redo)),
        Command(
            "quit", "ends the session", execution: .withoutChange, section: .session, form: CommandForm("quit"),
            means: .quit),
    ]

    /// A frame of JACK's clock. Frames 0 and 1 are written as text, because these numbers are button values.
    private static let frame = CommandArguments<UInt32>(
        [
            CommandArgument(
                "a JACK frame as a whole number", type: "i",
                forms: [
                    CommandForm.Argument(
                        "at", .option(value: "frame"), "The JACK frame (default: the first of the next period).",
                        limit: .whole("a JACK frame as a whole number, 0 to \(UInt32.max)", 0...Int(UInt32.max)))
                ])
        ], read: { $0.frame() }, write: { [$0 < 2 ? .text(String($0)) : .whole(Int32(bitPattern: $0))] })
}
