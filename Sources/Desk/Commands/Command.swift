import Loading
import Stages

/// One row of the table of commands: any command except setting a parameter, for all control interfaces.
///
/// A row holds the name, arguments and purpose of a command, and reads and writes its arguments. `Command.all` holds
/// the rows of all programs; `Command.rows(of:)` has those that the control interfaces of some programs accept. The
/// control interfaces (OSC, JSON, `ctl`, control surfaces, lines of a capture's standard input) and the pages (OSC
/// Query, help, the reference) all use this table.
package struct Command: Sendable, Identifiable {
    /// Kinds of arguments, for error messages and buttons.
    package enum Takes: Sendable {
        /// No argument; a button triggers the command.
        case nothing
        /// Optional arguments, described in words; a button triggers the command without them.
        case perhaps(String)
        /// `on`, `off`, `toggle` or nothing, which means `toggle`. A button sends 1 for on and 0 for off.
        case state
        /// Required arguments: their OSC Query types; their ranges, if all arguments are numbers; and a description in
        /// words, which covers optional arguments too. A button cannot trigger the command.
        case these(types: String, ranges: [ClosedRange<Double>] = [], String)
    }

    /// Kinds of commands.
    package enum Kind: Sendable {
        /// The session performs an action.
        case deed
        /// The session replies with data, and changes no value in force.
        case question
        /// The control interface itself performs the action.
        case door
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
    /// Arguments of the command.
    package let takes: Takes
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
    /// Converts arguments to a command. Returns nil, or throws the reason, if the arguments are not valid.
    private let reads: @Sendable (inout CommandReader) throws(SessionError) -> SessionCommand?
    /// Returns the arguments that request a command. If the address contains a plugin's name, that name comes first.
    /// Returns nil for a command of another row.
    private let writes: @Sendable (SessionCommand) -> [CommandValue]?

    /// Creates a row; see the properties.
    package init(
        _ id: String, _ takes: Takes, _ help: String, kind: Kind = .deed, in programs: CommandPrograms = .session,
        line: String? = nil, execution: CommandExecution? = nil, section: Section? = nil, patience: Int = 3,
        form: CommandForm? = nil,
        reads: @escaping @Sendable (inout CommandReader) throws(SessionError) -> SessionCommand? = { _ in nil },
        writes: @escaping @Sendable (SessionCommand) -> [CommandValue]? = { _ in nil }
    ) {
        (self.id, self.takes, self.help, self.kind, self.patience) = (id, takes, help, kind, patience)
        (self.programs, self.line, self.section) = (programs, line, section)
        if let execution {
            self.execution = execution
        } else {
            self.execution = kind == .deed ? CommandExecution() : .withoutChange
        }
        (self.form, self.reads, self.writes) = (form, reads, writes)
    }

    /// Creates a row without arguments for one command. `isUsual`: whether `written(_:)` uses this row for the command.
    package init(
        _ id: String, _ help: String, kind: Kind = .deed, in programs: CommandPrograms = .session, line: String? = nil,
        execution: CommandExecution? = nil, section: Section? = nil, patience: Int = 3, form: CommandForm? = nil,
        means command: SessionCommand, isUsual: Bool = true
    ) {
        self.init(
            id, .nothing, help, kind: kind, in: programs, line: line, execution: execution, section: section,
            patience: patience, form: form, reads: { _ in command },
            writes: { isUsual && $0 == command ? [] : nil })
    }

    /// Returns the row with a section, if it has none of its own.
    func shown(in section: Section) -> Command {
        var row = self
        row.section = self.section ?? section
        return row
    }

    /// Effect of a button that is bound to the command.
    package var button: Button {
        switch takes {
        case .nothing, .perhaps: .press
        case .state: .state
        case .these: .unusable
        }
    }

    /// Purpose as the beginning of a sentence, without Markdown marks.
    package var sentence: String {
        let plain = help.replacing("`", with: "'")
        return plain.prefix(1).uppercased() + plain.dropFirst()
    }

    /// OSC Query types of the arguments: of the required ones; `T` for a state; `N` if no argument is required.
    package var types: String {
        switch takes {
        case .these(let types, _, _): types
        case .state: "T"
        case .nothing, .perhaps: "N"
        }
    }

    /// Range of each argument; empty unless all arguments are required numbers.
    package var ranges: [ClosedRange<Double>] { if case .these(_, let ranges, _) = takes { ranges } else { [] } }

    /// Description of the arguments, in words.
    private var takesInWords: String {
        switch takes {
        case .nothing: "nothing; a button's 1 performs it, and its 0 does nothing"
        case .perhaps(let these): "nothing or a button's 1, or \(these); a button's 0 does nothing"
        case .state: "nothing, 'on', 'off' or 'toggle'; a button's 1 is on and its 0 off"
        case .these(_, _, let these): these
        }
    }

    /// Returns the error message for invalid arguments.
    package func refusal(at address: String) -> String { "\(address) takes \(takesInWords)" }

    /// Words of the command after `ctl`, without a plugin's name.
    package var typedWords: [String] {
        id.split(separator: "/").map(String.init).filter { $0 != Self.anyPlugin } + [form?.word].compactMap(\.self)
    }

    /// The error message for words typed after `ctl`, where there are no buttons.
    package var typedRefusal: String {
        let words = typedWords.joined(separator: " ")
        let said =
            switch takes {
            case .nothing: "nothing"
            case .perhaps(let these): "nothing, or \(these)"
            case .state: "nothing, on, off or toggle"
            case .these(_, _, let these): these
            }
        return "\(words) takes \(form?.takes ?? said)"
    }

    /// Whether the address alone triggers the command, for example from a key. True for an action that requires no
    /// argument, unless it switches a state, or its address contains a plugin's name.
    package var isDeed: Bool {
        kind == .deed && button == .press && !id.contains(Self.anyPlugin)
    }

    /// The table of a session's commands in Markdown, for `Documentation/reference/commands.md`.
    package static var page: String {
        let rows = Self.rows(of: .desk).map { row in
            let (takes, pressed) =
                switch row.takes {
                case .nothing: ("–", "1 does it")
                case .perhaps(let these): ("nothing, or \(these)", "1 does it without")
                case .state: ("nothing, `on`, `off` or `toggle`", "1 is on, 0 off")
                case .these(_, _, let these): (these, "–")
                }
            let line = row.form.map { "`\($0.example)`" } ?? "–"
            return "| `\(row.id)` | \(takes) | \(pressed) | \(row.help) | \(line) |"
        }
        let head = ["| address | takes | a button's | what it does | as with `ctl` |", "|---|---|---|---|---|"]
        return (head + rows).joined(separator: "\n")
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
        case door([CommandValue])
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
        if case .nothing = row.takes, !values.isEmpty { return .refused(row.refusal(at: address)) }
        if case .door = row.kind { return .door(values) }
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
        do throws(SessionError) {
            guard let command = try reads(&words), words.isWhole else { return .refused(refusal(at: address)) }
            return .command(command)
        } catch {
            return .refused(words.isUsable ? error.description : refusal(at: address))
        }
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
