import ArgumentParser
import Desktop
import Foundation
import Gate
import SavedSessions
import Session
import Stages

/// Defaults for options, from a session folder's `session.json` (with `--session DIR`) and the user's config file. The
/// command line overrides both, and the session overrides the config file. In the config file, a command's section
/// overrides the general lines (`Recipe`). A repeatable option may occur several times in a file too; only the values
/// of the source of highest precedence count.
enum Defaults {
    /// Parses `typed` together with the defaults.
    ///
    /// - Parameters:
    ///   - own: texts of options, by name, that override typed ones: those of a session manager.
    ///   - asks: whether the user must confirm at the terminal what a session does beyond sound.
    ///   - desktop: options of the session that plays the desktop's sinks; nil: if `--desktop` is typed, the options in
    ///     the record of `desktop on`.
    ///   - tell: called with one sentence for each part of a session that is missing on this machine.
    /// - Throws: the parser's error for `typed`; a `Failure` that names the file and place of an invalid default.
    static func parse(
        _ typed: [String], own: [String: String] = [:], config path: String = ConfigFile.path, asks: Bool = true,
        desktop: DesktopRecipe? = nil, tell: (String) -> Void = { say($0) }
    ) throws -> any ParsableCommand {
        let words = ordered(typed)
        var recipe = try Self.recipe(for: typed, own: own, config: path, asks: asks, desktop: desktop, tell: tell)
        guard !recipe.values.isEmpty else { return try Proscenium.parseAsRoot(words) }
        let command = try DeferredChecks.$isInForce.withValue(true) { try Proscenium.parseAsRoot(words) }
        // A request for help is a command too, without these options.
        let options = Set(KnownOption.all(of: type(of: command)).map(\.name))
        guard recipe.values.keys.contains(where: { options.contains($0) }) else {
            return try Proscenium.parseAsRoot(words)
        }
        while true {
            do {
                return try OptionFilling(values: recipe.values).fill(command)
            } catch {
                guard let (index, reason) = blame(recipe, in: command, for: error) else {
                    // The typed words are wrong without the defaults too. The parser's error has the command's usage.
                    _ = try Proscenium.parseAsRoot(words)
                    throw error
                }
                let blamed = recipe.entries[index]
                let message = (reason as? RefusedValue)?.message ?? Proscenium.message(for: reason)
                guard blamed.isForgiven else { throw Failure(.input, "\(blamed.place): \(message)") }
                tell(Recipe.remark("\(blamed.place): \(message)"))
                recipe = recipe.without(index)
            }
        }
    }

    /// Returns the index of an invalid default and its error; nil if the typed options are wrong.
    private static func blame(
        _ recipe: Recipe, in command: any ParsableCommand, for error: any Error
    ) -> (index: Int, reason: any Error)? {
        for index in recipe.entries.indices where complaint(of: recipe.without(index), in: command) == nil {
            return (index, error)
        }
        // Several defaults are wrong, or the typed options are.
        guard complaint(of: recipe.only(nil), in: command) == nil else { return nil }
        for index in recipe.entries.indices {
            if let reason = complaint(of: recipe.only(index), in: command) { return (index, reason) }
        }
        return nil
    }

    /// Returns the error of a command with the defaults; nil if they are valid.
    private static func complaint(of recipe: Recipe, in command: any ParsableCommand) -> (any Error)? {
        do {
            _ = try OptionFilling(values: recipe.values).fill(command)
            return nil
        } catch {
            return error
        }
    }

    /// Returns the words in the parser's order. In `ctl` the subcommand takes the options: `--port` or `--to` before
    /// its words is moved behind them.
    static func ordered(_ typed: [String]) -> [String] {
        var words = Array(typed.dropFirst())
        guard typed.first == "ctl", let first = words.first else { return typed }
        var moved: [String] = []
        if first.hasPrefix("--port=") || first.hasPrefix("--to=") {
            moved = [words.removeFirst()]
        } else if first == "--port" || first == "--to", words.count > 1 {
            moved = Array(words.prefix(2))
            words.removeFirst(2)
        }
        words.insert(contentsOf: moved, at: words.firstIndex(of: "--") ?? words.endIndex)
        return ["ctl"] + words
    }

    /// Returns the defaults for the command that `typed` names, those that it does not override.
    static func recipe(
        for typed: [String], own: [String: String] = [:], config path: String = ConfigFile.path, asks: Bool,
        desktop: DesktopRecipe? = nil, tell: (String) -> Void
    ) throws -> Recipe {
        let none = Recipe(under: TypedOptions([]), own: own)
        guard let command = typed.first, KnownOption.commands[command] != nil else { return none }
        let words = typed.dropFirst().prefix { $0 != "--" }
        // Help must work even if the files are faulty.
        guard !words.contains(where: { ["-h", "--help", "--help-hidden"].contains($0) }) else { return none }
        let written = try ConfigFile.lines(at: path)
        let namesSession = own["session"] != nil || words.contains { $0.hasPrefix("--session") }
        let isSaved = namesSession && ["run", "render"].contains(command)
        let options = TypedOptions(typed, own: own)
        var desktop = desktop
        if desktop == nil, options.contains("desktop") {
            desktop = try DesktopRecord.saved().map { DesktopRecipe($0) }
        }
        guard isSaved || !written.isEmpty || desktop != nil else { return none }
        var recipe = Recipe(under: options, own: own)
        for source in desktop?.first ?? [] { try recipe.take(source, tell: tell) }
        if isSaved, let folder = options.text(of: "session").map(SessionDocument.folder) {
            let consent: SessionTrust.Consent =
                if options.contains("trust") {
                    .given
                } else if asks, command == "run", Question().canBeAsked {
                    .asked(Question().agrees(to:))
                } else { .none }
            let (lines, settled) = try session(in: folder, of: command, consent: consent, tell: tell)
            try recipe.take(lines, tell: tell)
            recipe.settle(settled)
        }
        try recipe.take(written.filter { $0.section == command }.map(\.line), tell: tell)
        try recipe.take(written.filter { $0.section == nil }.map(\.line), tell: tell)
        if let desktop { try recipe.take(desktop.last, tell: tell) }
        return recipe
    }

    /// Returns the lines of a session's folder, and the options that it settles even without a line. For `run`, a
    /// missing folder is no error, because it will be created.
    private static func session(
        in folder: String, of command: String, consent: SessionTrust.Consent, tell: (String) -> Void
    ) throws -> (lines: [Recipe.Line], settled: Set<String>) {
        let path = folder + "/" + SessionDocument.fileName
        guard var saved = try SessionDocument(folder: folder) else {
            if command == "run" { return ([], []) }
            throw Failure(.input, "\(path) cannot be read; a session is a folder with a session.json in it")
        }
        var known = KnownSessions()
        let trust = try SessionTrust(saved, in: folder, consent: consent, known: &known)
        saved.options = trust.allowed(saved.options)
        let found = SessionFiles.find(saved, in: folder)
        for remark in saved.remarks + trust.remarks + found.remarks { tell("session: \(remark)") }
        let table = TableOfArguments(of: [command])
        var lines: [Recipe.Line] = []
        for (key, value) in found.options.sorted(by: { $0.key < $1.key }) {
            let list: [JSONValue]? = if case .list(let list) = value { list } else { nil }
            let isFile = table.option("--" + key)?.values.mayBeFiles ?? true
            let written = (list ?? [value]).compactMap { text($0, in: isFile ? folder : nil) }
            let isRead = written.count == (list ?? [value]).count
            // The user permits overwriting on the command line or in the config file. A session folder may come from
            // elsewhere and may not permit it.
            guard key != "overwrite" else {
                if written != ["off"], written != ["false"] {
                    tell(
                        "session: \(path): 'overwrite' is valid only on the command line and in the config file; a session's "
                            + "folder cannot permit that recordings are replaced")
                }
                continue
            }
            let complaint = "\(path): the value of '\(key)' must be a text or a number, or a list of them"
            guard isRead || !saved.isTemplate else { throw Failure(.input, complaint) }
            if !isRead { tell("session: \(complaint); values of other kinds are not used, and are kept in the file") }
            lines.append(
                Recipe.Line(
                    option: key, values: written, isList: list != nil, place: path, isForgiven: !saved.isTemplate))
        }
        // A session saves its choices of the stage, those that are the default without a line. Folders from before
        // the steps hold only a part of them.
        let isWhole = !saved.isTemplate && saved.step >= 1
        return (lines, isWhole ? Set(Parameter.all.filter(\.rebuildsStage).map(\.option)) : [])
    }

    /// Returns the text of a session's value; nil for null, lists and objects. A text that names a file in the
    /// session's folder becomes that file's path, so that the folder can be moved and archived. `folder`: nil for an
    /// option that takes no file.
    private static func text(_ value: JSONValue, in folder: String?) -> String? {
        switch value {
        case .number, .whole: return value.numeral
        case .truth(let isOn): return isOn ? "true" : "false"
        case .text(let words):
            guard let folder else { return words }
            let file = folder + "/" + words
            return words.hasPrefix("/") || !FileManager.default.fileExists(atPath: file) ? words : file
        case .null, .list, .object: return nil
        }
    }
}
