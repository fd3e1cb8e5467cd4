/// How the command line has a command: `ctl` with the words of its id, and what is behind them.
package struct CommandForm: Sendable {
    /// Something that is written behind the words.
    package struct Argument: Sendable {
        /// How it is written, and what becomes of it.
        package enum Kind: Sendable {
            /// A text in its place.
            case text
            /// One of these words in its place.
            case word([String])
            /// A path, which is meant from where it is typed; of a folder or a file.
            case path(isFolder: Bool)
            /// All words that are left, as one text.
            case rest
            /// All words that are left, a number each; so many at most.
            case numbers(Int)
            /// `--NAME VALUE`, a number of which these words are sent before; what the value is called in help.
            case option([String] = [], value: String)
            /// `--NAME`, which stands for these words.
            case flag([String])
            /// `--NAME` or `--no-NAME`, which stand for one of these words each.
            case choice(yes: String, no: String)
        }

        /// What it is called in help; of an option and a flag without the dashes.
        package let name: String
        /// What it is, a sentence.
        package let help: String
        /// How it is written.
        package let kind: Kind
        /// Whether it may be left out, and what is said then where something stands behind it.
        package let standard: String?
        /// Whether help is silent about it.
        package let isHidden: Bool

        /// A text.
        package init(_ name: String, _ help: String, standard: String? = nil) {
            self.init(name, .text, help, standard: standard)
        }

        /// An argument of a kind.
        package init(_ name: String, _ kind: Kind, _ help: String, standard: String? = nil, isHidden: Bool = false) {
            (self.name, self.kind, self.help, self.standard, self.isHidden) = (name, kind, help, standard, isHidden)
        }
    }

    /// What is behind the words, in order.
    package let arguments: [Argument]
    /// An example, behind `ctl`; and what else is to be known.
    package let example: String, remark: String?
    /// What it takes, where the line says it otherwise than a message; nil: as the row has it.
    package let takes: String?

    /// A form; see the properties.
    package init(_ example: String, _ arguments: [Argument] = [], takes: String? = nil, remark: String? = nil) {
        (self.example, self.arguments, self.takes, self.remark) = (example, arguments, takes, remark)
    }
}
