import Gate
import Loading
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
    /// Section of the panel; nil if the panel has no such command.
    package private(set) var section: Section?
    /// Timeout of the reply, seconds.
    package let patience: Int
    /// Form on the command line; nil if the command line lacks the command.
    package let form: CommandForm?
    /// Converts arguments to a command. Returns nil if the arguments are not valid, with the reason in the reader.
    private let reads: @Sendable (inout CommandReader) -> SessionCommand?
    /// Returns the arguments that request a command. If the address contains a plugin's name, that name comes first.
    /// Returns nil for a command of another row.
    private let writes: @Sendable (SessionCommand) -> [CommandValue]?
    /// Returns a command with absolute paths that the origin may access; nil for a command of another row.
    private let admits: @Sendable (SessionCommand, WriteGate, PathOrigin) throws(PathRefusal) -> SessionCommand?

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

    /// Creates the row of a command that the control interfaces carry out. They read the arguments themselves.
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

    /// Purpose as the beginning of a sentence, without Markdown marks.
    package var sentence: String {
        let plain = help.replacing("`", with: "'")
        return plain.prefix(1).uppercased() + plain.dropFirst()
    }

    /// Words of the command after `ctl`, without a plugin's name.
    package var typedWords: [String] {
        id.split(separator: "/").map(String.init).filter { $0 != Self.anyPlugin } + [form?.word].compactMap(\.self)
    }

    /// Whether the address alone triggers the command, for example from a key. True for an action that requires no
    /// argument, unless it switches a state, or its address contains a plugin's name.
    package var isDeed: Bool {
        kind == .deed && button == .press && !id.contains(Self.anyPlugin)
    }

    /// Word that stands for a plugin's name in a row's id.
    private static let anyPlugin = "NAME"
    private static let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })

    /// Returns the rows that the control interfaces of these programs accept, in the order of the table.
    package static func rows(of programs: CommandPrograms) -> [Command] {
        all.filter { !$0.programs.isDisjoint(with: programs) }
    }

    /// Returns the row of an address that the control interfaces of these programs accept, and the plugin's name in the
    /// address (empty without one). Returns nil if no row of theirs has the address, for example for a parameter.
    package static func at(_ address: String, of programs: CommandPrograms = .desk) -> (row: Command, plugin: String)? {
        func found(_ id: String) -> Command? {
            byID[id].flatMap { $0.programs.isDisjoint(with: programs) ? nil : $0 }
        }
        if let row = found(address) { return (row, "") }
        let parts = address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "plugin", !parts[1].isEmpty else { return nil }
        return found("plugin/\(anyPlugin)/\(parts[2])").map { ($0, String(parts[1])) }
    }

    /// Result of reading an address and its arguments.
    package enum Reading: Sendable, Equatable {
        /// A command to the session.
        case command(SessionCommand)
        /// A command to the control interface, with its arguments.
        case door(DoorCommand, [CommandValue])
        /// No command: a button was released. The reply is done.
        case nothing
        /// No command; the reason.
        case refused(String)
    }

    /// Reads an address (without `/proscenium/`) and its arguments, as a control interface of these programs receives
    /// them. Returns nil if the address is not that of a command.
    package static func read(
        _ address: String, _ values: [CommandValue], of programs: CommandPrograms = .desk
    ) -> Reading? {
        guard let (row, plugin) = at(address, of: programs) else {
            return programs.contains(.session) ? readPlugin(address, values) : nil
        }
        var values = values
        if row.button == .press, values.count == 1, let isDown = values[0].isDown {
            guard isDown else { return .nothing }
            values = []
        }
        if case .door(let command) = row.kind { return .door(command, values) }
        return row.read(values, of: plugin, at: address)
    }

    /// Reads `plugin/NAME/set/SYMBOL`. Refuses its invalid arguments, and any other address that begins with `plugin/`.
    /// Returns nil for all other addresses.
    private static func readPlugin(_ address: String, _ values: [CommandValue]) -> Reading? {
        guard address.hasPrefix("plugin/") else { return nil }
        guard case .control(let plugin, let symbol) = StateAddress(address), let row = byID["plugin/\(anyPlugin)/set"],
            case .command(let command) = row.read([.text(symbol)] + values, of: plugin, at: address)
        else { return .refused("\(address) is not understood; see 'proscenium ctl --help'") }
        return .command(command)
    }

    /// Reads arguments of this row's command. `plugin`: name of the plugin in the address, empty without one.
    func read(_ values: [CommandValue], of plugin: String, at address: String) -> Reading {
        var words = CommandReader(values, of: plugin)
        if let command = reads(&words), words.isWhole { return .command(command) }
        let fault = words.isUsable ? words.fault?.description : nil
        return .refused(fault ?? refusal(at: address))
    }

    /// Returns a command with absolute paths that `origin` may access; a command without paths is unchanged.
    ///
    /// - Throws: `PathRefusal` with the reason why a path is refused.
    static func admitted(
        _ command: SessionCommand, by gate: WriteGate, from origin: PathOrigin
    ) throws(PathRefusal) -> SessionCommand {
        for row in all {
            if let admitted = try row.admits(command, gate, origin) { return admitted }
        }
        return command
    }

    /// Returns the address and arguments of a command; nil for a command without a row, such as a parameter change.
    package static func written(_ command: SessionCommand) -> (address: String, values: [CommandValue])? {
        guard let (row, values) = Self.row(writing: command) else { return nil }
        guard row.id.contains(anyPlugin), let name = values.first?.written else { return (row.id, values) }
        return (row.id.replacing(anyPlugin, with: name), Array(values.dropFirst()))
    }

    /// Returns the row of a command and its arguments, after the name of the plugin if the address contains one.
    /// Returns nil for a command without a row.
    private static func row(writing command: SessionCommand) -> (row: Command, values: [CommandValue])? {
        // Setting a parameter is the most frequent command, and has no row.
        if case .set = command { return nil }
        for row in all {
            if let values = row.writes(command) { return (row, values) }
        }
        return nil
    }

    /// Returns the row of a command; nil for a command without a row, such as a parameter change.
    package static func row(of command: SessionCommand) -> Command? { row(writing: command)?.row }

    /// Returns the id of the row of a query without arguments; nil for any other command.
    static func queryID(of command: SessionCommand) -> String? {
        guard let (row, values) = Self.row(writing: command), row.kind == .question, values.isEmpty else { return nil }
        return row.id
    }
}

extension StateAddress {
    /// Returns the command that sets the address to a value; nil if there is none.
    ///
    /// - Throws: `ParameterError` if the parameter does not accept the value.
    package func command(_ value: ParameterValue) throws(ParameterError) -> SessionCommand? {
        switch self {
        case .record, .bypass, .control:
            guard case .command(let command) = Command.read(text, CommandValue.values(of: value)) else { return nil }
            return command
        case .session, .input, .loudspeaker, .modeBefore, .fact:
            guard let parameter else { return nil }
            return .set(try ParameterChange(parameter.id, value.written, input: subject))
        }
    }

    /// Command that clears the value at the address; nil if the value cannot be cleared.
    package var clearing: SessionCommand? {
        guard let parameter, parameter.traits.contains(.isUnsetAtFirst) else { return nil }
        return .set(ParameterChange(parameter, .unsaid, input: subject))
    }
}

extension Command {
    /// Returns the arguments of `first`, followed by those of `second`.
    static func both<First: Sendable, Second: Sendable>(
        _ first: CommandArguments<First>, _ second: CommandArguments<Second>
    ) -> CommandArguments<(First, Second)> {
        CommandArguments<(First, Second)>(
            first.list + second.list,
            read: { words in
                // The second is read even if the first is invalid: if an argument is of the wrong kind, the
                // message is about that.
                let former = first.read(&words)
                let latter = second.read(&words)
                guard let former, let latter else { return nil }
                return (former, latter)
            }, write: { first.write($0.0) + second.write($0.1) },
            admit: { pair, gate, origin throws(PathRefusal) in
                (try first.admit(pair.0, gate, origin), try second.admit(pair.1, gate, origin))
            })
    }

    /// Returns arguments that may be omitted; their value is nil then.
    static func perhaps<Value: Sendable>(_ arguments: CommandArguments<Value>) -> CommandArguments<Value?> {
        CommandArguments<Value?>(
            arguments.list.map { $0.optional() },
            read: { words -> Value?? in
                guard !words.left.isEmpty else { return .some(nil) }
                guard let value = arguments.read(&words) else { return nil }
                return .some(value)
            }, write: { value in value.map(arguments.write) ?? [] },
            admit: { value, gate, origin throws(PathRefusal) in
                guard let value else { return nil }
                return try arguments.admit(value, gate, origin)
            })
    }

    /// Returns arguments that may be omitted; their value is `standard` then.
    static func perhaps<Value: Sendable>(
        _ arguments: CommandArguments<Value>, else standard: Value
    ) -> CommandArguments<Value> {
        CommandArguments<Value>(
            arguments.list.map { $0.optional() },
            read: { words in words.left.isEmpty ? standard : arguments.read(&words) }, write: arguments.write,
            admit: arguments.admit)
    }
}
