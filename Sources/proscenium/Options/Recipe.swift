/// The values that files, and the record of `desktop on`, set for the options of a command, each with its place.
///
/// The sources are taken in order of precedence: the typed options first, then a session's folder, then the command's
/// section of the config file, then its general lines. For the session of `desktop on`, the options in its record come
/// after the typed ones, and the defaults of the desktop come last. An option has its values from the first source that
/// sets it.
struct Recipe: Equatable, Sendable {
    /// An option of a source.
    struct Line: Equatable, Sendable {
        /// Name of the option, present or former.
        let option: String
        let values: [String]
        /// Whether the value is a list, which only a repeatable option takes.
        var isList = false
        /// The file and its line, or the name of another source, for messages.
        let place: String
        /// Whether an invalid value is only reported: a session of another version may contain options and values
        /// unknown to this version.
        var isForgiven = false
    }

    /// A value in force.
    struct Entry: Equatable, Sendable {
        /// Name of the option, present or former.
        let option: String
        /// Text of the value; `true` for a flag.
        let text: String
        let place: String
        let isForgiven: Bool
    }

    /// Values in force, in order of precedence.
    private(set) var entries: [Entry] = []
    /// Texts of options that override typed ones, by name.
    private let own: [String: String]
    private let command: String
    private let known: [String: KnownOption]
    /// Present names of the options that a source has set.
    private var settled: Set<String>

    /// Begins with the typed options, which no file overrides. `own`: texts of options that override typed ones; they
    /// are among `typed` too.
    init(under typed: TypedOptions, own: [String: String] = [:]) {
        self.own = own
        command = typed.command
        known = KnownOption.settable(of: typed.command)
        settled = typed.names
        // `--to` excludes `--port`, so a default of `port` must not apply.
        if settled.contains("to") { settled.insert("port") }
    }

    /// Texts by the option's name, those of a manager included.
    var values: [String: [String]] {
        Dictionary(grouping: entries, by: \.option).mapValues { $0.map(\.text) }
            .merging(own.mapValues { [$0] }) { $1 }
    }

    /// Takes the next source. Options of other commands are ignored. `tell`: called for a forgiven line.
    ///
    /// - Throws: `Failure` for a line that is not valid.
    mutating func take(_ source: [Line], tell: (String) -> Void) throws {
        func refuse(_ line: Line, _ reason: String) throws {
            guard line.isForgiven else { throw Failure(.input, "\(line.place): \(reason)") }
            tell(Self.remark("\(line.place): \(reason)"))
        }
        var here: Set<String> = []
        let written = Set(source.map(\.option))
        for line in source {
            guard let option = known[line.option] else {
                if KnownOption.settableNames.contains(line.option) { continue }
                try refuse(line, "there is no option '\(line.option)'")
                continue
            }
            guard !line.isList || option.isRepeating else {
                try refuse(line, "'\(line.option)' takes one text or number, not a list")
                continue
            }
            let name = KnownOption.present(line.option, of: command)
            // If a source contains the present name too, the former name is ignored.
            guard name == line.option || !written.contains(name) else { continue }
            guard !settled.contains(name), here.insert(name).inserted || option.isRepeating else { continue }
            for value in line.values {
                switch value {
                case _ where !option.isFlag: enter(value, line)
                case "on", "yes", "true", "1": enter("true", line)
                case "off", "no", "false", "0": break
                default: try refuse(line, "'\(line.option)' is on or off, not '\(value)'")
                }
            }
        }
        settled.formUnion(here)
    }

    private mutating func enter(_ text: String, _ line: Line) {
        entries.append(Entry(option: line.option, text: text, place: line.place, isForgiven: line.isForgiven))
    }

    /// Closes options to the sources that follow.
    mutating func settle(_ options: Set<String>) { settled.formUnion(options) }

    /// Returns the recipe with one value of the files alone; nil: with none.
    func only(_ index: Int?) -> Recipe {
        var recipe = self
        recipe.entries = index.map { [entries[$0]] } ?? []
        return recipe
    }

    /// Returns the recipe without one value of the files.
    func without(_ index: Int) -> Recipe {
        var recipe = self
        recipe.entries.remove(at: index)
        return recipe
    }

    /// Returns the remark on a forgiven value. `complaint`: its place and what is invalid.
    static func remark(_ complaint: String) -> String {
        "session: \(complaint); the session plays without this value, and keeps it in its file"
    }
}

extension TypedOptions {
    /// Returns the options as a source of a recipe, with the place for messages. `isForgiven`: whether an invalid
    /// value is only reported.
    func lines(at place: String, isForgiven: Bool = false) -> [Recipe.Line] {
        words.enumerated().compactMap { index, word in
            // Of an option with a single value, the parser takes the value typed last.
            let isLast = !words[(index + 1)...].contains { $0.option == word.option }
            guard isLast || known[word.option]?.isRepeating == true else { return nil }
            return Recipe.Line(option: word.option, values: [word.text], place: place, isForgiven: isForgiven)
        }
    }
}
