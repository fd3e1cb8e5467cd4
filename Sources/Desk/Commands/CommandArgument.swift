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
    /// Alternative forms on the command line; the user types one of them. Empty if the command line lacks the argument.
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

/// Form of a command on the command line: `ctl`, the words of the command's id, then the arguments of its row.
package struct CommandForm: Sendable {
    /// Form of an argument after the words.
    package struct Argument: Sendable {
        /// Syntax of an argument, and its conversion.
        package enum Kind: Sendable {
            /// A positional text.
            case text
            /// A positional word out of this list.
            case word([String])
            /// A path of a folder or a file, relative to the working folder.
            case path(isFolder: Bool)
            /// All remaining words, as one text.
            case rest
            /// All remaining words, each a number; at most this many. If only one is permitted, it may be negative.
            case numbers(Int)
            /// `--NAME VALUE`, where VALUE is a number. The associated values are the words that are sent before the
            /// number, and the name of VALUE in the help text.
            case option([String] = [], value: String)
            /// `--NAME`, which is sent as these words.
            case flag([String])
            /// `--NAME` or `--no-NAME`, each sent as one word.
            case choice(yes: String, no: String)
        }

        /// Name in the help text; without dashes for an option or a flag.
        package let name: String
        /// Purpose, a sentence.
        package let help: String
        /// Syntax of the argument.
        package let kind: Kind
        /// Default. It is sent if the argument is omitted and another one follows. Nil if a positional argument is
        /// required, or if an option has no default.
        package let standard: String?
        /// Word or number with the same effect as omitting the argument; `standard` unless stated otherwise.
        package let usual: String?
        /// Permitted values; nil if the command line does not check them. The row may still refuse a value.
        package let limit: ArgumentLimit?
        /// Whether the help text omits the argument.
        package let isHidden: Bool

        /// Creates an argument of a kind.
        package init(
            _ name: String, _ kind: Kind, _ help: String, standard: String? = nil, usual: String? = nil,
            limit: ArgumentLimit? = nil, isHidden: Bool = false
        ) {
            (self.name, self.kind, self.help, self.standard, self.isHidden) = (name, kind, help, standard, isHidden)
            self.usual = usual ?? standard
            if case .word(let words) = kind { self.limit = limit ?? .words(words) } else { self.limit = limit }
        }

        /// Returns the form of the argument where it may be omitted.
        func optional() -> Argument {
            switch kind {
            case .option, .flag, .choice: return self
            case .text, .word, .path, .rest, .numbers:
                guard standard == nil else { return self }
                return Argument(name, kind, help, standard: "", usual: usual, limit: limit, isHidden: isHidden)
            }
        }

        /// Name in the usage line and in error messages: `--NAME` or `<NAME>`.
        package var shownName: String {
            switch kind {
            case .option, .flag, .choice: "--\(name)"
            case .text, .word, .path, .rest, .numbers: "<\(name)>"
            }
        }

        /// Returns the error message for the first word outside the limit; nil if there is none, or no limit.
        package func refusal(of said: [String]) -> String? {
            guard let limit, let wrong = said.first(where: { !limit.admits($0) }) else { return nil }
            return "\(shownName) takes \(limit.words), not '\(wrong)'"
        }
    }

    /// Example of the words after `ctl`, and further notes for the help text.
    package let example: String, remark: String?
    /// Description of the arguments on the command line; nil if the row's description applies.
    package let takes: String?
    /// Word after those of the row's id, where the id alone is that of a group.
    package let word: String?

    /// Creates a form; see the properties.
    package init(_ example: String, takes: String? = nil, word: String? = nil, remark: String? = nil) {
        (self.example, self.takes, self.remark, self.word) = (example, takes, remark, word)
    }
}

/// Permitted values of an argument on the command line: a check, and a description in words.
package struct ArgumentLimit: Sendable {
    /// Permitted values, in words.
    package let words: String
    /// Returns whether a value is permitted, as it was typed.
    package let admits: @Sendable (String) -> Bool

    /// Creates a limit from its description and its check.
    package init(_ words: String, admits: @escaping @Sendable (String) -> Bool) {
        (self.words, self.admits) = (words, admits)
    }

    /// One of these words.
    package static func words(_ words: [String]) -> ArgumentLimit {
        let list = words.dropLast().joined(separator: ", ")
        return ArgumentLimit([list, words.last ?? ""].filter { !$0.isEmpty }.joined(separator: " or ")) {
            words.contains($0)
        }
    }

    /// A number within a range, in a unit.
    package static func number(_ range: ClosedRange<Double>, _ unit: String) -> ArgumentLimit {
        ArgumentLimit("\(ends(of: range)) \(unit)") { Double($0).map(range.contains) ?? false }
    }

    /// Returns the ends of a range in words, as `0.1 to 60`.
    static func ends(of range: ClosedRange<Double>) -> String {
        [range.lowerBound, range.upperBound].compactMap { CommandValue.number($0).written }.joined(separator: " to ")
    }

    /// A whole number within a range, described by words.
    package static func whole(_ words: String, _ range: ClosedRange<Int>) -> ArgumentLimit {
        ArgumentLimit(words) { said in
            (Int(said) ?? Double(said).flatMap { Int(exactly: $0) }).map(range.contains) ?? false
        }
    }

    /// A text whose length in bytes is within a range.
    package static func text(_ bytes: ClosedRange<Int>) -> ArgumentLimit {
        ArgumentLimit("a text of \(bytes.lowerBound) to \(bytes.upperBound) bytes") { bytes.contains($0.utf8.count) }
    }

    /// A position in a chain of plugins.
    package static let position = whole("a whole number from 0 on", 0...Int.max)
}
