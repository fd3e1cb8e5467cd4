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
    /// Words that begin with two dashes and name no option of the command, without a value after `=`.
    let unknown: [String]

    /// Finds the options of the command that the first word names: `--name value`, `--name=value` or the flag
    /// `--name`, up to `--`. The texts `own`, by option, then count as typed last.
    init(_ typed: [String], own: [String: String] = [:]) {
        let name = typed.first ?? ""
        let table = KnownOption.table(of: name)
        var (found, unknown): ([Word], [String]) = ([], [])
        var rest = typed.dropFirst().prefix { $0 != "--" }
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") else { continue }
            let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let option = table[String(parts[0])] else {
                unknown.append("--\(parts[0])")
                continue
            }
            // The parser refuses a last option without its value.
            guard let text = option.isFlag ? "true" : parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
                break
            }
            found.append(Word(option: option.name, text: text))
        }
        (command, known, self.unknown) = (name, table, unknown)
        words = found + own.map { Word(option: $0.key, text: $0.value) }
    }

    /// Takes over options that were typed earlier and saved as `texts`. Names that the command does not know are kept.
    init(of command: String, saved texts: [String: [String]]) {
        (self.command, known, unknown) = (command, KnownOption.table(of: command), [])
        words = texts.sorted { $0.key < $1.key }.flatMap { option, texts in
            texts.map { Word(option: option, text: $0) }
        }
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

    /// The texts of the typed options, by their present names: all texts of a repeatable option, the last one of
    /// another.
    var texts: [String: [String]] {
        var texts: [String: [String]] = [:]
        for word in words {
            let former = known[word.option]?.isRepeating == true ? texts[present(word), default: []] : []
            texts[present(word)] = former + [word.text]
        }
        return texts
    }

    /// The typed options that a session saves, by their present names.
    var kept: [String: JSONValue] {
        var kept: [String: JSONValue] = [:]
        for (name, texts) in self.texts where !Self.once.contains(name) {
            if known[name]?.isRepeating == true {
                kept[name] = .list(texts.map { .text($0) })
            } else {
                kept[name] = texts.last.map { .text($0) }
            }
        }
        return kept
    }

    private func present(_ word: Word) -> String { KnownOption.present(word.option, of: command) }
}
