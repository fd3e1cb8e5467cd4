import CWords

/// Arguments of a command, read from a table. `make reference` writes the table from the parser's description; a test
/// compares both.
///
/// In the table `[ctl plugin add]` heads the rows of a command. A row has four columns, separated by tabs: names, kind,
/// values to offer, first sentence of the help.
struct TableOfArguments {
    /// Values of an option or a positional argument.
    enum Values: Equatable {
        /// The command's own function offers them.
        case own
        case words([String])
        /// Files with one of these endings, without a dot; all files if empty.
        case files([String])
        case folders
        /// The program offers none.
        case none

        /// Whether a value may be the path of a file or folder.
        var mayBeFiles: Bool {
            switch self {
            case .own, .files, .folders: true
            case .words, .none: false
            }
        }

        fileprivate init(_ column: Substring) {
            let words = column.split(separator: " ").map(String.init)
            switch words.first {
            case "own": self = .own
            case "words": self = .words(Array(words.dropFirst()))
            case "files": self = .files(Array(words.dropFirst()))
            case "folders": self = .folders
            default: self = .none
            }
        }
    }

    /// One option, flag or positional argument.
    struct Row: Equatable {
        /// The names as typed, the long one first; the value's name for a positional argument.
        let names: [String]
        /// Whether the option takes a value.
        let takesValue: Bool
        /// Whether the argument is positional.
        let isInPlace: Bool
        /// Whether the argument may be given several times.
        let isRepeating: Bool
        let values: Values
        /// First sentence of the help; empty without one.
        let help: String

        /// Reads a line of the table; nil for a line of another form.
        fileprivate init?(_ line: Substring) {
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard columns.count == 4 else { return nil }
            names = columns[0].split(separator: " ").map(String.init)
            takesValue = columns[1].hasPrefix("option")
            isInPlace = columns[1].hasPrefix("place")
            isRepeating = columns[1].hasSuffix("...")
            values = Values(columns[2])
            help = String(columns[3])
        }
    }

    /// All options and flags, without hidden ones.
    let options: [Row]
    /// Positional arguments, in order.
    let places: [Row]

    /// The table as it was when the program was compiled.
    static var text: String {
        let text = words_of_arguments()
        return String(decoding: UnsafeBufferPointer(start: text.bytes, count: text.count), as: UTF8.self)
    }

    /// Reads the rows of a command, given by its words after the program's name. A command that only has subcommands
    /// has no rows. Takes one pass over the table of about 70 kB.
    init(of path: [String]) {
        let head = "[\(path.joined(separator: " "))]"
        let lines = Self.text.split(separator: "\n").drop { $0 != head }.dropFirst().prefix { !$0.hasPrefix("[") }
        let rows = lines.compactMap(Row.init)
        options = rows.filter { !$0.isInPlace }
        places = rows.filter(\.isInPlace)
    }

    /// Returns the option with a name, dashes included; nil if there is none.
    func option(_ name: String) -> Row? { options.first { $0.names.contains(name) } }

    /// Returns the positional argument with a number from 0; nil after the last one, unless that one may repeat.
    func place(_ index: Int) -> (index: Int, row: Row)? {
        if index < places.count { return (index, places[index]) }
        guard let last = places.last, last.isRepeating else { return nil }
        return (places.count - 1, last)
    }
}
