import ArgumentParser
import Foundation
import Gate
import SavedSessions
import Session
import Stages

/// Defaults for options, from a session folder's `session.json` (with `--session DIR`) and the user's config file. The
/// command line overrides both, and the session overrides the config file. In the config file, a command's section
/// overrides the general lines. A repeatable option may occur several times in a file too; only the values of the
/// source of highest precedence count.
enum Defaults {
    /// An option's value in a file, and its place in the file.
    struct Entry {
        let key: String
        let values: [String]
        /// Whether the value is a list, which only a repeatable option takes.
        var isList = false
        let place: String
        var isForgiven = false
    }

    /// A default in force: its text, to be inserted among the arguments, and its source.
    private struct Default {
        let argument: String
        let place: String
        /// Whether an invalid value is only reported: a session of another version may contain options unknown to this
        /// version.
        var isForgiven = false
    }

    /// Top-level commands that may have defaults: those without subcommands, and `ctl`.
    static let commands: [String: any ParsableCommand.Type] = {
        let all = Proscenium.subcommands.filter { $0.configuration.subcommands.isEmpty } + [ControlCommand.self]
        return Dictionary(
            uniqueKeysWithValues: all.compactMap { type in type.configuration.commandName.map { ($0, type) } })
    }()

    /// Returns a command's options by name.
    static func options(of command: String) -> [String: KnownOption] { known[command] ?? [:] }

    private static let known = Dictionary(
        uniqueKeysWithValues: commands.map { command, type in
            let all = KnownOption.all(of: command == "ctl" ? ControlPort.self : type)
            // `session` and `trust` hold for one call only and have no default.
            let own = all.filter { !["session", "trust"].contains($0.name) }
            return (command, Dictionary(own.map { ($0.name, $0) }) { first, _ in first })
        })

    /// Returns the present name of an option of a command; see `ParameterRows.former`.
    private static func present(_ name: String, of command: String) -> String {
        (command == "bake" ? BakeRows.former : UpmixRows.former)[name] ?? name
    }

    /// Returns whether any command has an option of this name.
    private static func isKnown(_ name: String) -> Bool { commands.keys.contains { options(of: $0)[name] != nil } }

    /// Parses `typed` together with the defaults.
    ///
    /// - Parameters:
    ///   - asks: whether the user must confirm at the terminal what a session does beyond sound.
    ///   - tell: called with one sentence for each part of a session that is missing on this machine.
    /// - Throws: the parser's error for `typed`; a `Failure` that names the file and place of an invalid default.
    static func parse(
        _ typed: [String], config path: String = Defaults.configPath, asks: Bool = true,
        tell: (String) -> Void = { say($0) }
    ) throws -> any ParsableCommand {
        var found = try defaults(for: typed, config: path, asks: asks, tell: tell)
        while true {
            do {
                return try Proscenium.parseAsRoot(insert(found, into: typed))
            } catch {
                guard !found.isEmpty, let (index, reason) = blame(found, with: typed, for: error) else { throw error }
                let (blamed, message) = (found[index], Proscenium.message(for: reason))
                guard blamed.isForgiven else { throw Failure(.input, "\(blamed.place): \(message)") }
                tell(
                    "session: \(blamed.place): \(message); the session plays without this value, and keeps it in its file"
                )
                found.remove(at: index)
            }
        }
    }

    /// Returns the index of an invalid default and its error; nil if the typed arguments are wrong.
    private static func blame(
        _ found: [Default], with typed: [String], for error: any Error
    ) -> (index: Int, reason: any Error)? {
        for index in found.indices {
            var others = found
            others.remove(at: index)
            if complaint(of: others, with: typed) == nil { return (index, error) }
        }
        // Several defaults are wrong, or the typed arguments are.
        guard complaint(of: [], with: typed) == nil else { return nil }
        for (index, one) in found.enumerated() {
            if let reason = complaint(of: [one], with: typed) { return (index, reason) }
        }
        return nil
    }

    /// Returns the parser's error for `typed` with some defaults; nil if they are valid.
    private static func complaint(of defaults: [Default], with typed: [String]) -> (any Error)? {
        do {
            _ = try Proscenium.parseAsRoot(insert(defaults, into: typed))
            return nil
        } catch {
            return error
        }
    }

    /// Inserts the defaults that `typed` does not override: after the command's name, and after the words of `ctl`.
    static func complete(_ typed: [String], config path: String = Defaults.configPath) throws -> [String] {
        insert(try defaults(for: typed, config: path, asks: false) { say($0) }, into: typed)
    }

    /// Returns `typed` with the defaults inserted. In `ctl` the subcommand takes the options, so the defaults follow
    /// its words. If `--port` or `--to` precedes these words, it is moved behind them too.
    private static func insert(_ defaults: [Default], into typed: [String]) -> [String] {
        let inserted = defaults.map(\.argument)
        guard let command = typed.first else { return typed }
        var words = Array(typed.dropFirst())
        guard command == "ctl" else { return [command] + inserted + words }
        var moved: [String] = []
        if let first = words.first, first.hasPrefix("--port=") || first.hasPrefix("--to=") {
            moved = [words.removeFirst()]
        } else if words.first == "--port" || words.first == "--to", words.count > 1 {
            moved = Array(words.prefix(2))
            words.removeFirst(2)
        }
        words.insert(contentsOf: moved + inserted, at: words.firstIndex(of: "--") ?? words.endIndex)
        return [command] + words
    }

    /// Returns the defaults for the command that `typed` names, in the order of their insertion.
    private static func defaults(
        for typed: [String], config path: String, asks: Bool, tell: (String) -> Void
    ) throws -> [Default] {
        guard let command = typed.first, commands[command] != nil else { return [] }
        let arguments = typed.dropFirst().prefix { $0 != "--" }
        // Help must work even if the files are faulty.
        guard !arguments.contains(where: { ["-h", "--help", "--help-hidden"].contains($0) }) else { return [] }
        let named = command == "run" || command == "render" ? value(of: "session", in: arguments) : nil
        let folder = named.map(SavedSession.folder)
        let written = try config(at: path)
        guard folder != nil || !written.isEmpty else { return [] }
        let known = options(of: command)
        var said = Set(
            arguments.filter { $0.hasPrefix("--") }.map {
                present(String($0.dropFirst(2).prefix { $0 != "=" }), of: command)
            })
        // `--to` excludes `--port`, so a default of `port` must not apply.
        if said.contains("to") { said.insert("port") }
        var taken: [Default] = []
        /// Throws for an invalid entry; a forgiven one, from a saved session, is only reported and ignored.
        func refuse(_ entry: Entry, _ reason: String) throws {
            guard entry.isForgiven else { throw Failure(.input, "\(entry.place): \(reason)") }
            tell("session: \(entry.place): \(reason); the session plays without this value, and keeps it in its file")
        }
        /// Adds the entries that no source of higher precedence has set; ignores options of other commands.
        func take(_ entries: [Entry]) throws {
            var here: Set<String> = []
            let keys = Set(entries.map(\.key))
            for entry in entries {
                guard let option = known[entry.key] else {
                    guard isKnown(entry.key) else {
                        try refuse(entry, "there is no option '\(entry.key)'")
                        continue
                    }
                    continue
                }
                guard !entry.isList || option.isRepeating else {
                    try refuse(entry, "'\(entry.key)' takes one text or number, not a list")
                    continue
                }
                let name = present(entry.key, of: command)
                // If a source contains the present name too, the former name is ignored.
                guard name == entry.key || !keys.contains(name) else { continue }
                guard !said.contains(name), here.insert(name).inserted || option.isRepeating else { continue }
                for value in entry.values {
                    do {
                        guard let words = try argument(of: option, value, at: entry.place) else { continue }
                        taken.append(Default(argument: words, place: entry.place, isForgiven: entry.isForgiven))
                    } catch  where entry.isForgiven {
                        tell(
                            "session: \(Failure(error).message); the session plays without this value, and keeps it in its file"
                        )
                    }
                }
            }
            said.formUnion(here)
        }
        if let folder {
            let consent: SessionTrust.Consent =
                if said.contains("trust") {
                    .given
                } else if asks, command == "run", Question().canBeAsked {
                    .asked(Question().agrees(to:))
                } else { .none }
            let (entries, settled) = try session(in: folder, isBegun: command == "run", consent: consent, tell: tell)
            try take(entries)
            said.formUnion(settled)
        }
        try take(written.filter { $0.section == command }.map(\.entry))
        try take(written.filter { $0.section == nil }.map(\.entry))
        return taken
    }

    /// Returns the text of a default among the arguments; nil for a flag that is off.
    private static func argument(of option: KnownOption, _ value: String, at place: String) throws -> String? {
        guard option.isFlag else { return "--\(option.name)=\(value)" }
        switch value {
        case "on", "yes", "true", "1": return "--\(option.name)"
        case "off", "no", "false", "0": return nil
        default: throw Failure(.input, "\(place): '\(option.name)' is on or off, not '\(value)'")
        }
    }

    /// Path of the user's config file.
    static var configPath: String {
        let home = ProcessInfo.processInfo.environment["HOME"] ?? "/"
        let base = ProcessInfo.processInfo.environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : $0 }
        return (base ?? home + "/.config") + "/proscenium/config"
    }

    /// Returns the value of an option among arguments: the last one, as the parser does; nil without one.
    private static func value(of option: String, in arguments: ArraySlice<String>) -> String? {
        var value: String?
        var rest = arguments
        while let word = rest.popFirst() {
            if word == "--\(option)" {
                value = rest.popFirst() ?? value
            } else if word.hasPrefix("--\(option)=") {
                value = String(word.dropFirst(option.count + 3))
            }
        }
        return value
    }

    /// Returns the entries of a session's folder, and the options that it settles even without an entry. `isBegun`: a
    /// missing folder is no error, because it will be created.
    private static func session(
        in folder: String, isBegun: Bool, consent: SessionTrust.Consent, tell: (String) -> Void
    ) throws -> (entries: [Entry], settled: Set<String>) {
        let path = folder + "/" + SavedSession.fileName
        guard var saved = try SavedSession(folder: folder) else {
            if isBegun { return ([], []) }
            throw Failure(.input, "\(path) cannot be read; a session is a folder with a session.json in it")
        }
        var known = KnownSessions()
        let trust = try SessionTrust(saved, in: folder, consent: consent, known: &known)
        saved.options = trust.allowed(saved.options)
        let found = SessionFiles.find(saved, in: folder)
        for remark in saved.remarks + trust.remarks + found.remarks { tell("session: \(remark)") }
        // A saved option overrides the saved choice of the same name, even if the option's file is missing on this
        // machine.
        let choices = saved.choices.filter { saved.options[$0.key] == nil }
        var entries: [Entry] = []
        for (key, value) in found.options.merging(choices, uniquingKeysWith: { said, _ in said }).sorted(by: {
            $0.key < $1.key
        }) {
            let list: [JSONValue]? = if case .list(let list) = value { list } else { nil }
            let written = (list ?? [value]).compactMap { text($0, in: folder) }
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
            entries.append(
                Entry(key: key, values: written, isList: list != nil, place: path, isForgiven: !saved.isTemplate))
        }
        // A session saves its choices of the stage, those that are the default without an entry. Folders from before
        // the steps hold only a part of them.
        let isWhole = !saved.isTemplate && saved.step >= 1
        return (entries, isWhole ? Set(Parameter.all.filter(\.rebuildsStage).map(\.option)) : [])
    }

    /// Returns a session's value as command-line text; nil for null, lists and objects. A text that names a file in the
    /// session's folder becomes that file's path, so that the folder can be moved and archived.
    private static func text(_ value: JSONValue, in folder: String) -> String? {
        switch value {
        case .number, .whole: return value.numeral
        case .truth(let isOn): return isOn ? "true" : "false"
        case .text(let words):
            let file = folder + "/" + words
            return words.hasPrefix("/") || !FileManager.default.fileExists(atPath: file) ? words : file
        case .null, .list, .object: return nil
        }
    }

    /// Returns the typed options that a session saves, by their present names: without those for a single run, and
    /// without those whose values the session saves in other files.
    static func kept(_ typed: [String]) -> [String: JSONValue] {
        guard let command = typed.first else { return [:] }
        let known = options(of: command)
        let once: Set = [
            "record", "record-poses", "record-motion", "overwrite", "quiet", "fresh", "token", "trust", "learn",
            "plugin", "plugins",
            "connect-in",
            "connect-out",
        ]
        var said: [String: JSONValue] = [:]
        var words = typed.dropFirst().prefix { $0 != "--" }
        while let word = words.popFirst() {
            guard word.hasPrefix("--") else { continue }
            let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            guard let option = known[name] else { continue }
            let value = option.isFlag ? "true" : parts.count == 2 ? String(parts[1]) : words.popFirst() ?? ""
            guard !once.contains(name) else { continue }
            let present = present(name, of: command)
            guard option.isRepeating else {
                said[present] = .text(value)
                continue
            }
            if case .list(let list)? = said[present] {
                said[present] = .list(list + [.text(value)])
            } else {
                said[present] = .list([.text(value)])
            }
        }
        return said
    }
}
