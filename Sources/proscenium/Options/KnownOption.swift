import ArgumentParser

/// An option or a flag of a command, as the config file and a session's folder may set it.
struct KnownOption: Sendable, Equatable {
    /// Name without its dashes.
    let name: String
    /// Whether the option is a flag and takes no value.
    let isFlag: Bool
    /// Whether the option may be repeated.
    let isRepeating: Bool

    /// Returns the options of a command and of its groups, hidden ones included.
    ///
    /// Reflection over the properties finds them, as in the parser. An option has its property's name: `connectOut` is
    /// `--connect-out`. A test compares the result with the parser's own list.
    static func all(of type: any ParsableArguments.Type) -> [KnownOption] {
        Mirror(reflecting: type.init()).children.flatMap { label, value -> [KnownOption] in
            switch (value, label) {
            case (let group as any OptionsGroup, _): all(of: group.members)
            case (let option as any OneOption, let label?):
                [KnownOption(name: name(ofProperty: label), isFlag: option.isFlag, isRepeating: option.isRepeating)]
            default: []
            }
        }
    }

    /// Returns an option's name: `connect-out` for `_connectOut`.
    static func name(ofProperty label: String) -> String {
        label.drop { $0 == "_" }.reduce(into: "") { name, letter in
            if letter.isUppercase, !name.isEmpty { name.append("-") }
            name.append(contentsOf: letter.lowercased())
        }
    }
}

extension KnownOption {
    /// Top-level commands whose options files may set: those without subcommands, and `ctl`.
    static let commands: [String: any ParsableCommand.Type] = {
        let all = Proscenium.subcommands.filter { $0.configuration.subcommands.isEmpty } + [ControlCommand.self]
        return Dictionary(
            uniqueKeysWithValues: all.compactMap { type in type.configuration.commandName.map { ($0, type) } })
    }()

    /// Returns the options of one of `commands` by name; none of another. Those of `ctl` name the session.
    static func table(of command: String) -> [String: KnownOption] {
        guard let type = commands[command] else { return [:] }
        let all = Self.all(of: command == "ctl" ? ControlPort.self : type)
        return Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
    }

    /// Returns the options of a command that files may set. `session` and `trust` hold for one call only.
    static func settable(of command: String) -> [String: KnownOption] {
        table(of: command).filter { !["session", "trust"].contains($0.key) }
    }

    /// Names of the options that files may set for any command.
    static let settableNames = Set(commands.keys.flatMap { settable(of: $0).keys })

    /// Returns the present name of an option of a command; see `ParameterRows.former`.
    static func present(_ name: String, of command: String) -> String {
        (command == "bake" ? BakeRows.former : UpmixRows.former)[name] ?? name
    }
}

/// A property that is an option or a flag.
private protocol OneOption {
    var isFlag: Bool { get }
    var isRepeating: Bool { get }
}

extension Option: OneOption {
    fileprivate var isFlag: Bool { false }
    fileprivate var isRepeating: Bool { Value.self is any SeveralValues.Type }
}

extension Flag: OneOption {
    fileprivate var isFlag: Bool { true }
    fileprivate var isRepeating: Bool { false }
}

/// The value of an option that may be given several times.
private protocol SeveralValues {}
extension Array: SeveralValues {}

/// A property that is a group of options.
private protocol OptionsGroup {
    var members: any ParsableArguments.Type { get }
}

extension OptionGroup: OptionsGroup {
    fileprivate var members: any ParsableArguments.Type { Value.self }
}
