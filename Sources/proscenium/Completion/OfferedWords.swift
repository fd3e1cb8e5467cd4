import ArgumentParser

/// Words that fit at the end of a command line that is being typed, from the table of the program's commands.
struct OfferedWords {
    /// A word and its help: one sentence, or empty.
    struct Offer: Equatable {
        let word: String, help: String
    }

    private let words: [String]
    private var type: any ParsableCommand.Type = Proscenium.self
    private var path: [String] = []
    private var table = TableOfArguments(of: [])
    /// Path and arguments of the subcommand that is meant if none is named, as `set` of `ctl`.
    private var usual: (path: [String], table: TableOfArguments)?
    private var used: Set<String> = []
    private var placesTaken = 0
    private var awaiting: TableOfArguments.Row?
    private var isPastOptions = false
    private var isHelp = false

    /// Returns the output of `---offer WORD...`; nil for other arguments. The last word is the one at the cursor, and
    /// may be empty.
    static func asked(by arguments: [String]) -> String? {
        guard arguments.first == "---offer" else { return nil }
        return all(for: Array(arguments.dropFirst())).map { $0.help.isEmpty ? $0.word : "\($0.word)\t\($0.help)" }
            .joined(separator: "\n")
    }

    /// Returns the words that fit in place of the last of `words`, which follow the program's name.
    static func all(for words: [String]) -> [Offer] {
        var line = OfferedWords(words)
        for word in words.dropLast() { line.take(word) }
        return line.offers(words.last ?? "")
    }

    private init(_ words: [String]) { self.words = words }

    private mutating func enter(_ next: any ParsableCommand.Type) {
        path.append(next._commandName)
        (type, table) = (next, TableOfArguments(of: path))
        (placesTaken, usual) = (0, nil)
        if let standard = next.configuration.defaultSubcommand {
            let path = path + [standard._commandName]
            usual = (path, TableOfArguments(of: path))
        }
    }

    private func option(_ name: String) -> TableOfArguments.Row? { table.option(name) ?? usual?.table.option(name) }

    private mutating func take(_ word: String) {
        if awaiting != nil {
            awaiting = nil
        } else if !isPastOptions, word == "--" {
            isPastOptions = true
        } else if !isPastOptions, word.hasPrefix("-"), word != "-" {
            let name = String(word.prefix { $0 != "=" })
            guard let row = option(name) else { return }
            used.formUnion(row.names)
            if row.takesValue, !word.contains("=") { awaiting = row }
        } else if path.isEmpty, word == "help" {
            isHelp = true
        } else if placesTaken == 0, let next = type.configuration.subcommands.first(where: { $0._commandName == word })
        {
            enter(next)
        } else {
            placesTaken += 1
        }
    }

    private func offers(_ typed: String) -> [Offer] {
        if let awaiting { return values(of: awaiting, named: awaiting.names[0], typed) }
        if !isPastOptions, typed.hasPrefix("--"), let equals = typed.firstIndex(of: "=") {
            let name = String(typed[..<equals])
            guard let row = option(name), row.takesValue else { return [] }
            return values(of: row, named: name, String(typed[typed.index(after: equals)...]), before: name + "=")
        }
        if !isPastOptions, typed.hasPrefix("-") { return options(typed) }
        var found: [Offer] = []
        if placesTaken == 0 || isHelp {
            found = type.configuration.subcommands.filter { $0.configuration.shouldDisplay }.map {
                Offer(word: $0._commandName, help: Self.sentence($0.configuration.abstract))
            }
            if path.isEmpty, !isHelp { found.append(Offer(word: "help", help: "Shows the help of a command.")) }
            found = found.filter { $0.word.hasPrefix(typed) }
        }
        guard !isHelp else { return found }
        for (path, table) in [(path, table)] + (usual.map { [$0] } ?? []) {
            guard let (index, row) = table.place(placesTaken) else { continue }
            found += values(of: row, named: "positional@\(index)", typed, in: path)
        }
        return found.isEmpty && typed.isEmpty ? options("") : found
    }

    private func options(_ typed: String) -> [Offer] {
        var rows = table.options + (usual?.table.options ?? [])
        rows = rows.filter { row in row.isRepeating || used.isDisjoint(with: row.names) }
        var found = rows.flatMap { row in
            row.names.map { Offer(word: $0, help: row.help) }
        }
        if path.isEmpty { found.append(Offer(word: "--version", help: "Show the version.")) }
        if !type.configuration.subcommands.isEmpty {
            found.append(Offer(word: "--help", help: "Show help information."))
        }
        return found.filter { $0.word.hasPrefix(typed) && $0.word != "-h" }
    }

    /// Returns the values of an argument that begin with `typed`, each with `before` in front.
    private func values(
        of row: TableOfArguments.Row, named name: String, _ typed: String, before: String = "", in path: [String]? = nil
    ) -> [Offer] {
        let found: [String]
        switch row.values {
        case .words(let words): found = words
        case .files(let endings): found = FilesHere.offered(typed, endings.isEmpty ? nil : endings.map { "." + $0 })
        case .folders: found = FilesHere.offered(typed, [])
        case .own:
            let isUsual = table.option(name) == nil && usual?.table.option(name) != nil
            found = own(path ?? (isUsual ? usual?.path : self.path) ?? [], name, typed)
        case .none: found = []
        }
        return found.filter { $0.hasPrefix(typed) }.map { Offer(word: before + $0, help: "") }
    }

    /// Returns the values that an argument's own function offers; the parser calls it.
    private func own(_ path: [String], _ name: String, _ typed: String) -> [String] {
        let line = ["proscenium"] + words.dropLast() + [typed]
        let request = ["---completion"] + path + ["--", name, String(line.count - 1), String(typed.count)] + line
        do { _ = try Proscenium.parseAsRoot(request) } catch {
            return Proscenium.fullMessage(for: error).split(separator: "\n").map(String.init)
        }
        return []
    }

    /// Returns the first sentence of a text.
    static func sentence(_ text: String) -> String {
        let line = text.split(separator: "\n").first.map(String.init) ?? ""
        return line.firstRange(of: ". ").map { String(line[..<$0.lowerBound]) + "." } ?? line
    }
}
