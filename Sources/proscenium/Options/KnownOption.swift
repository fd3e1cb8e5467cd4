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
    private static func name(ofProperty label: String) -> String {
        label.drop { $0 == "_" }.reduce(into: "") { name, letter in
            if letter.isUppercase, !name.isEmpty { name.append("-") }
            name.append(contentsOf: letter.lowercased())
        }
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
