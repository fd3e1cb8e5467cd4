/// Form of a command on the command line: `ctl`, the words of its id, then its arguments.
package struct CommandForm: Sendable {
    /// An argument after the words.
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
            /// All remaining words, a number each; at most this many. A single number may begin with a minus.
            case numbers(Int)
            /// `--NAME VALUE` with a number: words sent before the number; the value's name in the help text.
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
        /// Default that is sent where the argument is omitted and another follows; nil where it is required.
        package let standard: String?
        /// Effect of omitting a word out of a list, as one of its words; nil: `standard`.
        package let usual: String?
        /// Permitted values; nil: any, or those that the row permits.
        package let limit: ArgumentLimit?
        /// Whether the help text omits it.
        package let isHidden: Bool

        /// Creates a text argument.
        package init(_ name: String, _ help: String, standard: String? = nil, limit: ArgumentLimit? = nil) {
            self.init(name, .text, help, standard: standard, limit: limit)
        }

        /// Creates an argument of a kind.
        package init(
            _ name: String, _ kind: Kind, _ help: String, standard: String? = nil, usual: String? = nil,
            limit: ArgumentLimit? = nil, isHidden: Bool = false
        ) {
            (self.name, self.kind, self.help, self.standard, self.isHidden) = (name, kind, help, standard, isHidden)
            self.usual = usual ?? standard
            if case .word(let words) = kind { self.limit = limit ?? .words(words) } else { self.limit = limit }
        }

        /// Name as it is typed or as the usage line shows it.
        package var shownName: String {
            switch kind {
            case .option, .flag, .choice: "--\(name)"
            case .text, .word, .path, .rest, .numbers: "<\(name)>"
            }
        }

        /// Returns the error message for the first word outside the limit; nil where all words are within it.
        package func refusal(of said: [String]) -> String? {
            guard let limit, let wrong = said.first(where: { !limit.admits($0) }) else { return nil }
            return "\(shownName) takes \(limit.words), not '\(wrong)'"
        }
    }

    /// Arguments after the words, in order.
    package let arguments: [Argument]
    /// An example, after `ctl`; and further notes.
    package let example: String, remark: String?
    /// Description of the arguments where the command line differs from messages; nil: the row's description.
    package let takes: String?
    /// Word after those of the row's id, where the id alone is that of a group.
    package let word: String?

    /// Creates a form; see the properties.
    package init(
        _ example: String, _ arguments: [Argument] = [], takes: String? = nil, word: String? = nil,
        remark: String? = nil
    ) {
        (self.example, self.arguments, self.takes, self.remark) = (example, arguments, takes, remark)
        self.word = word
    }
}
