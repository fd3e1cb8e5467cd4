import Loading

/// One row of the table of commands: something that is done beside setting a parameter,
/// by whatever door it is asked for.
///
/// A row says what a command is called, what it takes and what it is for, reads its arguments and writes them;
/// `Command.all` has the rows. Doors (OSC, JSON, `ctl`, control surfaces) and pages (OSC Query, help, the reference)
/// have no lists of their own.
package struct Command: Sendable, Identifiable {
    /// What it takes, of which complaints and buttons are made.
    package enum Takes: Sendable {
        /// Nothing; a button does it.
        case nothing
        /// Nothing, or these, in words; a button does it without them.
        case perhaps(String)
        /// `on`, `off`, `toggle`, or nothing, which is `toggle`. Of a button 1 is on and 0 off.
        case state
        /// These: their types as OSC Query has them, and in words. No button does it.
        case these(types: String, String)
    }

    /// What kind it is.
    package enum Kind: Sendable {
        /// The session does something.
        case deed
        /// The session answers, and changes nothing.
        case question
        /// The door itself does something.
        case door
    }

    /// What stands behind `/proscenium/`; `NAME` in it is a plugin's.
    package let id: String
    /// What it takes.
    package let takes: Takes
    /// What it does, in a phrase.
    package let help: String
    /// What kind it is.
    package let kind: Kind
    /// Seconds that it may take until it is answered.
    package let patience: Int
    /// How the command line has it; nil where it has not.
    package let form: CommandForm?
    /// The command that arguments make; nil where they make none.
    private let reads: @Sendable (inout CommandReader) throws(SessionError) -> SessionCommand?
    /// The arguments that make a command, a plugin's name before them where the address has one;
    /// nil where it is another row's.
    private let writes: @Sendable (SessionCommand) -> [CommandValue]?

    /// A row; see the properties.
    package init(
        _ id: String, _ takes: Takes, _ help: String, kind: Kind = .deed, patience: Int = 3,
        form: CommandForm? = nil,
        reads: @escaping @Sendable (inout CommandReader) throws(SessionError) -> SessionCommand? = { _ in nil },
        writes: @escaping @Sendable (SessionCommand) -> [CommandValue]? = { _ in nil }
    ) {
        (self.id, self.takes, self.help, self.kind, self.patience) = (id, takes, help, kind, patience)
        (self.form, self.reads, self.writes) = (form, reads, writes)
    }

    /// A row that takes nothing and means one command. `isUsual`: whether that is how the command is written.
    package init(
        _ id: String, _ help: String, kind: Kind = .deed, patience: Int = 3, form: CommandForm? = nil,
        means command: SessionCommand, isUsual: Bool = true
    ) {
        self.init(
            id, .nothing, help, kind: kind, patience: patience, form: form, reads: { _ in command },
            writes: { isUsual && $0 == command ? [] : nil })
    }

    /// What it does, as a sentence begins, without the marks of Markdown.
    package var sentence: String {
        let plain = help.replacing("`", with: "'")
        return plain.prefix(1).uppercased() + plain.dropFirst()
    }

    /// The types of its arguments, as OSC Query has them; `N` where it may go without.
    package var types: String { if case .these(let types, _) = takes { types } else { "N" } }

    /// What it takes, in words.
    private var takesInWords: String {
        switch takes {
        case .nothing: "nothing, or a button's 1, which does it, or 0, which does nothing"
        case .perhaps(let these): "nothing or a button's 1, or \(these); a button's 0 does nothing"
        case .state: "nothing, 'on', 'off' or 'toggle'; a button's 1 is on and its 0 off"
        case .these(_, let these): these
        }
    }

    /// Why arguments are none of it.
    package func refusal(at address: String) -> String { "\(address) takes \(takesInWords)" }

    /// The same of words typed behind `ctl`, where there are no buttons.
    package var typedRefusal: String {
        let words = id.replacing("NAME/", with: "").replacing("/", with: " ")
        let said =
            switch takes {
            case .nothing: "nothing"
            case .perhaps(let these): "nothing, or \(these)"
            case .state: "nothing, on, off or toggle"
            case .these(_, let these): these
            }
        return "\(words) takes \(form?.takes ?? said)"
    }

    /// Whether it can be asked for by an address alone, as by a key: it does something, and needs nothing said.
    package var isDeed: Bool {
        switch (kind, takes) {
        case (.deed, .nothing), (.deed, .perhaps): !id.contains(Self.anyPlugin)
        default: false
        }
    }

    /// The table in Markdown, for `Documentation/commands.md`.
    package static var page: String {
        let rows = all.map { row in
            let (takes, button) =
                switch row.takes {
                case .nothing: ("–", "1 does it")
                case .perhaps(let these): ("nothing, or \(these)", "1 does it without")
                case .state: ("nothing, `on`, `off` or `toggle`", "1 is on, 0 off")
                case .these(_, let these): (these, "–")
                }
            let line = row.form.map { "`\($0.example)`" } ?? "–"
            return "| `\(row.id)` | \(takes) | \(button) | \(row.help) | \(line) |"
        }
        let head = ["| address | takes | a button's | what it does | as with `ctl` |", "|---|---|---|---|---|"]
        return (head + rows).joined(separator: "\n")
    }

    /// What stands for a plugin's name in a row's id.
    private static let anyPlugin = "NAME"
    private static let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })

    /// The row of an address, and the plugin that the address names; nil where there is none,
    /// as where a parameter stands.
    package static func at(_ address: String) -> (row: Command, plugin: String)? {
        if let row = byID[address] { return (row, "") }
        let parts = address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "plugin", !parts[1].isEmpty else { return nil }
        return byID["plugin/\(anyPlugin)/\(parts[2])"].map { ($0, String(parts[1])) }
    }

    /// What is made of arguments.
    package enum Reading: Sendable, Equatable {
        /// Something of the session.
        case command(SessionCommand)
        /// Something of the door, with what it is given.
        case door([CommandValue])
        /// Nothing: a button was let go. It is answered as done.
        case nothing
        /// Nothing, and why.
        case refused(String)
    }

    /// What an address (without `/proscenium/`) asks for; nil where it is no command's.
    package static func read(_ address: String, _ values: [CommandValue]) -> Reading? {
        guard let (row, plugin) = at(address) else { return readPlugin(address, values) }
        var values = values
        let isDown = values.count == 1 ? values[0].isDown : nil
        switch (row.takes, isDown) {
        case (.nothing, true?), (.perhaps, true?): values = []
        case (.nothing, false?), (.perhaps, false?): return .nothing
        case (.nothing, nil): if !values.isEmpty { return .refused(row.refusal(at: address)) }
        case (.perhaps, nil), (.state, _), (.these, _): break
        }
        if case .door = row.kind { return .door(values) }
        return row.read(values, of: plugin, at: address)
    }

    /// `plugin/NAME/set/SYMBOL`, and what is understood of no plugin.
    private static func readPlugin(_ address: String, _ values: [CommandValue]) -> Reading? {
        guard address.hasPrefix("plugin/") else { return nil }
        let parts = address.split(separator: "/").map(String.init)
        let unknown = Reading.refused("\(address) is not understood; see 'proscenium ctl --help'")
        guard parts.count == 4, parts[2] == "set", let row = byID["plugin/\(anyPlugin)/set"] else { return unknown }
        guard case .command(let command) = row.read([.text(parts[3])] + values, of: parts[1], at: address) else {
            return unknown
        }
        return .command(command)
    }

    private func read(_ values: [CommandValue], of plugin: String, at address: String) -> Reading {
        var words = CommandReader(values, of: plugin)
        do throws(SessionError) {
            guard let command = try reads(&words), words.isWhole else { return .refused(refusal(at: address)) }
            return .command(command)
        } catch {
            return .refused(words.isUsable ? error.description : refusal(at: address))
        }
    }

    /// The address and the arguments that ask for a command; nil for a parameter's change, which is no row's.
    package static func written(_ command: SessionCommand) -> (address: String, values: [CommandValue])? {
        for row in all {
            guard var values = row.writes(command) else { continue }
            guard row.id.contains(anyPlugin), let name = values.first?.written else { return (row.id, values) }
            values.removeFirst()
            return (row.id.replacing(anyPlugin, with: name), values)
        }
        return nil
    }

    /// The row that does a command; nil for a parameter's change.
    package static func row(of command: SessionCommand) -> Command? { all.first { $0.writes(command) != nil } }
}
