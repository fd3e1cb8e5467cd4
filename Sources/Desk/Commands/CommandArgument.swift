/// One argument of a command: the values that all control interfaces accept, and its forms on the command line.
package struct CommandArgument: Sendable {
    /// Permitted values, in words.
    package let words: String
    /// OSC Query type.
    let type: Character
    /// Range of a number; nil if OSC Query states none.
    let range: ClosedRange<Double>?
    /// Whether the argument is `on`, `off` or `toggle`.
    let isState: Bool
    /// Whether the argument may be omitted.
    private(set) var isOptional: Bool
    /// Forms on the command line, of which one is typed; empty if the command line lacks the argument.
    private(set) var forms: [CommandForm.Argument]

    /// Creates an argument; see the properties.
    init(
        _ words: String, type: Character = "s", range: ClosedRange<Double>? = nil, isState: Bool = false,
        isOptional: Bool = false, forms: [CommandForm.Argument] = []
    ) {
        (self.words, self.type, self.range, self.isState) = (words, type, range, isState)
        (self.isOptional, self.forms) = (isOptional, forms)
    }

    /// Returns the argument as one that may be omitted.
    func optional() -> CommandArgument {
        var argument = self
        argument.isOptional = true
        argument.forms = forms.map { $0.optional() }
        return argument
    }
}

extension Command {
    /// Whether no argument is required.
    private var isBare: Bool { arguments.allSatisfy(\.isOptional) }

    /// Effect of a button that is bound to the command.
    package var button: Button {
        if arguments.contains(where: \.isState) { return .state }
        return isBare ? .press : .unusable
    }

    /// OSC Query types of the arguments: of the required ones; `T` for a state; `N` if no argument is required.
    package var types: String {
        switch button {
        case .state: "T"
        case .press: "N"
        case .unusable: String(arguments.filter { !$0.isOptional }.map(\.type))
        }
    }

    /// Range of each required argument; empty unless all of them are numbers with a range.
    package var ranges: [ClosedRange<Double>] {
        let required = arguments.filter { !$0.isOptional }
        let ranges = required.compactMap(\.range)
        return ranges.count == required.count ? ranges : []
    }

    /// Forms of the arguments on the command line, in order; empty without a form of the command.
    package var typedArguments: [CommandForm.Argument] { form == nil ? [] : arguments.flatMap(\.forms) }

    /// Permitted values of all arguments, in words.
    private var these: String {
        arguments.enumerated().map { index, argument in
            index == 0 ? argument.words : (argument.isOptional ? ", then optionally " : ", then ") + argument.words
        }.joined()
    }

    /// Returns the error message for invalid arguments.
    package func refusal(at address: String) -> String {
        let taken =
            switch button {
            case .press where arguments.isEmpty: "nothing; a button's 1 performs it, and its 0 does nothing"
            case .press: "nothing or a button's 1, or \(these); a button's 0 does nothing"
            case .state: "nothing, 'on', 'off' or 'toggle'; a button's 1 is on and its 0 off"
            case .unusable: these
            }
        return "\(address) takes \(taken)"
    }

    /// The error message for words typed after `ctl`, where there are no buttons.
    package var typedRefusal: String {
        let said =
            switch button {
            case .press where arguments.isEmpty: "nothing"
            case .press: "nothing, or \(these)"
            case .state: "nothing, on, off or toggle"
            case .unusable: these
            }
        return "\(typedWords.joined(separator: " ")) takes \(form?.takes ?? said)"
    }

    /// The table of a session's commands in Markdown, for `Documentation/reference/commands.md`.
    package static var page: String {
        let rows = Self.rows(of: .desk).map { row in
            let (takes, pressed) =
                switch row.button {
                case .press where row.arguments.isEmpty: ("–", "1 does it")
                case .press: ("nothing, or \(row.these)", "1 does it without")
                case .state: ("nothing, `on`, `off` or `toggle`", "1 is on, 0 off")
                case .unusable: (row.these, "–")
                }
            let line = row.form.map { "`\($0.example)`" } ?? "–"
            return "| `\(row.id)` | \(takes) | \(pressed) | \(row.help) | \(line) |"
        }
        let head = ["| address | takes | a button's | what it does | as with `ctl` |", "|---|---|---|---|---|"]
        return (head + rows).joined(separator: "\n")
    }
}
