import Gate
import Loading
import Stages

extension Command {
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
    /// address (empty without one). Returns nil if no such row has the address, for example for a parameter.
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
        /// No command: a button was released. The reply is `done`.
        case nothing
        /// No command, because the request is refused; the value is the reason.
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

    /// Reads `plugin/NAME/set/SYMBOL` and its arguments. Refuses invalid arguments, and any other address that begins
    /// with `plugin/`. Returns nil for all other addresses.
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

    /// Returns the row of a command and its arguments. If the address contains a plugin's name, this name precedes the
    /// arguments. Returns nil for a command without a row.
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

extension SessionCommand {
    /// Returns the command with absolute paths that `origin` may access; commands without paths are unchanged.
    ///
    /// - Throws: `PathRefusal` with the reason why a path is refused.
    package func admitted(by gate: WriteGate, from origin: PathOrigin) throws(PathRefusal) -> SessionCommand {
        if case .set(let change) = self { return .set(try change.admitted(by: gate)) }
        return try Command.admitted(self, by: gate, from: origin)
    }
}

extension ParameterChange {
    /// Returns the change with an absolute path if its value is the relative path of a file. Other values are
    /// unchanged.
    fileprivate func admitted(by gate: WriteGate) throws(PathRefusal) -> ParameterChange {
        let word = value.word
        guard !word.isEmpty, !word.hasPrefix("/"), let kind = MakingName(parameter: parameter),
            kind.isFile(word, in: gate.recordings ?? "/")
        else { return self }
        return ParameterChange(parameter, .word(try gate.reading(word)), input: input)
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
                // The second argument is read even if the first is invalid: an argument of the wrong kind has
                // precedence in the error message.
                let former = first.read(&words)
                let latter = second.read(&words)
                guard let former, let latter else { return nil }
                return (former, latter)
            }, write: { first.write($0.0) + second.write($0.1) },
            admit: { pair, gate, origin throws(PathRefusal) in
                (try first.admit(pair.0, gate, origin), try second.admit(pair.1, gate, origin))
            })
    }

    /// Returns arguments that may be omitted. The value of omitted arguments is nil.
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

    /// Returns arguments that may be omitted. The value of omitted arguments is `standard`.
    static func perhaps<Value: Sendable>(
        _ arguments: CommandArguments<Value>, else standard: Value
    ) -> CommandArguments<Value> {
        CommandArguments<Value>(
            arguments.list.map { $0.optional() },
            read: { words in words.left.isEmpty ? standard : arguments.read(&words) }, write: arguments.write,
            admit: arguments.admit)
    }
}
