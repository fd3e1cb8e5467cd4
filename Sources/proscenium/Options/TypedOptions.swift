import Gate

/// The options among the words of a command line, with their texts as typed.
///
/// The parser's values do not tell whether an option was typed: a typed value may be the default.
struct TypedOptions: Equatable, Sendable {
    /// An option, and its text; `true` for a flag.
    struct Word: Equatable, Sendable {
        let option: String, text: String
    }

    /// Those of the program's own command line.
    static let all = TypedOptions(TypedWords.all)

    /// Name of the command; empty without one.
    let command: String
    /// The typed options, in order.
    let words: [Word]
    /// The options of the command, by name.
    let known: [String: KnownOption]

    /// Finds the options of the command that the first word names: `--name value`, `--name=value` or the flag
    /// `--name`, up to `--`. The texts `own`, by option, then count as typed last.
    init(_ typed: [String], own: [String: String] = [:]) {
        let name = typed.first ?? ""
        let table = KnownOption.table(of: name)
        var found: [Word] = []
        var rest = typed.dropFirst().prefix { $0 != "--" }
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") else { continue }
            let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let option = table[String(parts[0])] else { continue }
            // The parser refuses a last option without its value.
            guard let text = option.isFlag ? "true" : parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
                break
            }
            found.append(Word(option: option.name, text: text))
        }
        (command, known, words) = (name, table, found + own.map { Word(option: $0.key, text: $0.value) })
    }

    /// The present names of the typed options.
    var names: Set<String> { Set(words.map { KnownOption.present($0.option, of: command) }) }

    /// Returns whether an option is typed, under this name.
    func contains(_ option: String) -> Bool { words.contains { $0.option == option } }

    /// Returns the text of an option, the last one as the parser does; nil if it is not typed.
    func text(of option: String) -> String? { words.last { $0.option == option }?.text }

    /// Options that hold for a single run, and those whose values a session saves in other files.
    private static let once: Set = [
        "record", "record-poses", "record-motion", "overwrite", "quiet", "fresh", "token", "session", "trust", "learn",
        "plugin", "plugins", "connect-in", "connect-out",
    ]

    /// The typed options that a session saves, by their present names.
    var kept: [String: JSONValue] {
        var kept: [String: JSONValue] = [:]
        for word in words where !Self.once.contains(word.option) {
            let name = KnownOption.present(word.option, of: command)
            if known[word.option]?.isRepeating != true {
                kept[name] = .text(word.text)
            } else if case .list(let list)? = kept[name] {
                kept[name] = .list(list + [.text(word.text)])
            } else {
                kept[name] = .list([.text(word.text)])
            }
        }
        return kept
    }
}
