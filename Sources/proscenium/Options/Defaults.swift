import ArgumentParser
import Foundation
import Gate
import SavedSessions
import Session

/// Defaults for options: from a session folder's `session.json` (with `--session DIR`), then from the user's config
/// file. What stands on the command line wins over both, the session over the config, and in the config a command's own
/// section over the general lines. An option that may be given several times may stand there several times; the place
/// that wins replaces all of them.
enum Defaults {
    /// What a file says of an option, and where it says so.
    struct Entry {
        let key: String
        let values: [String]
        /// Whether it is written as a list, which only an option that may be given several times takes.
        var isList = false
        let place: String
        var isForgiven = false
    }

    /// A default that is in force: as it stands among the arguments, and where it was said.
    private struct Default {
        let argument: String
        let place: String
        /// Whether all else goes on where it cannot be meant: another version's session may say more than this one
        /// knows.
        var isForgiven = false
    }

    /// Commands that may have defaults: those without commands of their own, and `ctl`.
    static let commands: [String: any ParsableCommand.Type] = {
        let all = Proscenium.subcommands.filter { $0.configuration.subcommands.isEmpty } + [ControlCommand.self]
        return Dictionary(
            uniqueKeysWithValues: all.compactMap { type in type.configuration.commandName.map { ($0, type) } })
    }()

    /// A command's options by name.
    static func options(of command: String) -> [String: KnownOption] { known[command] ?? [:] }

    private static let known = Dictionary(
        uniqueKeysWithValues: commands.map { command, type in
            let all = KnownOption.all(of: command == "ctl" ? ControlPort.self : type)
            // What a session is, and what is asked for once, has no default.
            let own = all.filter { !["session", "trust"].contains($0.name) }
            return (command, Dictionary(own.map { ($0.name, $0) }) { first, _ in first })
        })

    /// Whether some command has an option of this name.
    private static func isKnown(_ name: String) -> Bool { commands.keys.contains { options(of: $0)[name] != nil } }

    /// The command that `typed` means together with the defaults.
    ///
    /// - Parameters:
    ///   - asks: whether the user is asked at the terminal for what a session does beyond sound.
    ///   - tell: told what of a session cannot be had here, a sentence each.
    /// - Throws: what the parser has to say of `typed`; a `Failure` that names the place where it is a default that
    ///   cannot be meant.
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
                tell("session: \(blamed.place): \(message); the session plays without it, and keeps it")
                found.remove(at: index)
            }
        }
    }

    /// Which default cannot be meant, and why; nil where what was typed is wrong.
    private static func blame(
        _ found: [Default], with typed: [String], for error: any Error
    ) -> (index: Int, reason: any Error)? {
        for index in found.indices {
            var others = found
            others.remove(at: index)
            if complaint(of: others, with: typed) == nil { return (index, error) }
        }
        // Several are wrong, or what was typed is.
        guard complaint(of: [], with: typed) == nil else { return nil }
        for (index, one) in found.enumerated() {
            if let reason = complaint(of: [one], with: typed) { return (index, reason) }
        }
        return nil
    }

    /// What the parser says of `typed` with some defaults; nil where nothing is wrong.
    private static func complaint(of defaults: [Default], with typed: [String]) -> (any Error)? {
        do {
            _ = try Proscenium.parseAsRoot(insert(defaults, into: typed))
            return nil
        } catch {
            return error
        }
    }

    /// `typed` with the defaults that it does not replace: behind the command's name, and behind the words of `ctl`.
    static func complete(_ typed: [String], config path: String = Defaults.configPath) throws -> [String] {
        insert(try defaults(for: typed, config: path, asks: false) { say($0) }, into: typed)
    }

    /// `typed` with defaults in their place. The commands of `ctl` take its options, not `ctl` itself: they stand
    /// behind the words, also where they were typed before them.
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

    /// The defaults of the command that `typed` names, in the order in which they are to stand.
    private static func defaults(
        for typed: [String], config path: String, asks: Bool, tell: (String) -> Void
    ) throws -> [Default] {
        guard let command = typed.first, commands[command] != nil else { return [] }
        let arguments = typed.dropFirst().prefix { $0 != "--" }
        // Help must be had where the files are what is wrong.
        guard !arguments.contains(where: { ["-h", "--help", "--help-hidden"].contains($0) }) else { return [] }
        let named = command == "run" || command == "render" ? value(of: "session", in: typed) : nil
        let folder = named.map(SavedSession.folder)
        let written = try config(at: path)
        guard folder != nil || !written.isEmpty else { return [] }
        let known = options(of: command)
        var said = Set(
            arguments.filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2).prefix { $0 != "=" }) })
        // A named session is not looked for at the usual port.
        if said.contains("to") { said.insert("port") }
        var taken: [Default] = []
        /// What cannot be meant ends all, but what another version's session says is told and left.
        func refuse(_ entry: Entry, _ reason: String) throws {
            guard entry.isForgiven else { throw Failure(.input, "\(entry.place): \(reason)") }
            tell("session: \(entry.place): \(reason); the session plays without it, and keeps it")
        }
        /// Takes what no source of higher precedence said; what only other commands know is no mistake.
        func take(_ entries: [Entry]) throws {
            var here: Set<String> = []
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
                guard !said.contains(entry.key), here.insert(entry.key).inserted || option.isRepeating else { continue }
                for value in entry.values {
                    do {
                        guard let words = try argument(of: option, value, at: entry.place) else { continue }
                        taken.append(Default(argument: words, place: entry.place, isForgiven: entry.isForgiven))
                    } catch  where entry.isForgiven {
                        tell("session: \(Failure(error).message); the session plays without it, and keeps it")
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
            try take(try session(in: folder, isBegun: command == "run", consent: consent, tell: tell))
        }
        try take(written.filter { $0.section == command }.map(\.entry))
        try take(written.filter { $0.section == nil }.map(\.entry))
        return taken
    }

    /// How a default stands among the arguments; nil for a flag that is off.
    private static func argument(of option: KnownOption, _ value: String, at place: String) throws -> String? {
        guard option.isFlag else { return "--\(option.name)=\(value)" }
        switch value {
        case "on", "yes", "true", "1": return "--\(option.name)"
        case "off", "no", "false", "0": return nil
        default: throw Failure(.input, "\(place): '\(option.name)' is on or off, not '\(value)'")
        }
    }

    /// Where the user's config file is looked for.
    static var configPath: String {
        let home = ProcessInfo.processInfo.environment["HOME"] ?? "/"
        let base = ProcessInfo.processInfo.environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : $0 }
        return (base ?? home + "/.config") + "/proscenium/config"
    }

    private static func value(of option: String, in arguments: [String]) -> String? {
        for (index, argument) in arguments.enumerated() {
            if argument == "--\(option)", index + 1 < arguments.count { return arguments[index + 1] }
            if argument.hasPrefix("--\(option)=") { return String(argument.dropFirst(option.count + 3)) }
        }
        return nil
    }

    /// What a session's folder says. `isBegun`: where there is none yet, it is about to be made.
    private static func session(
        in folder: String, isBegun: Bool, consent: SessionTrust.Consent, tell: (String) -> Void
    ) throws -> [Entry] {
        let path = folder + "/" + SavedSession.fileName
        guard var saved = try SavedSession(folder: folder) else {
            if isBegun { return [] }
            throw Failure(.input, "\(path) cannot be read; a session is a folder with a session.json in it")
        }
        var known = KnownSessions()
        let trust = try SessionTrust(saved, in: folder, consent: consent, known: &known)
        saved.options = trust.allowed(saved.options)
        let found = SessionFiles.find(saved, in: folder)
        for remark in saved.remarks + trust.remarks + found.remarks { tell("session: \(remark)") }
        // What is missing on this machine is not what it was before it was an option.
        let choices = saved.choices.filter { saved.options[$0.key] == nil }
        var entries: [Entry] = []
        for (key, value) in found.options.merging(choices, uniquingKeysWith: { said, _ in said }).sorted(by: {
            $0.key < $1.key
        }) {
            let list: [JSONValue]? = if case .list(let list) = value { list } else { nil }
            let written = (list ?? [value]).compactMap { text($0, in: folder) }
            let isRead = written.count == (list ?? [value]).count
            // That files may be lost is agreed to at the keyboard or in the user's own config file, not by a folder
            // that may come from elsewhere.
            guard key != "overwrite" else {
                if written != ["off"], written != ["false"] {
                    tell(
                        "session: \(path): 'overwrite' is said on the command line or in the config file; a session replaces "
                            + "no recordings by itself")
                }
                continue
            }
            let complaint = "\(path): the value of '\(key)' must be a text or a number, or a list of them"
            guard isRead || !saved.isTemplate else { throw Failure(.input, complaint) }
            if !isRead { tell("session: \(complaint); what is none is left out, and kept") }
            entries.append(
                Entry(key: key, values: written, isList: list != nil, place: path, isForgiven: !saved.isTemplate))
        }
        return entries
    }

    /// A value of a session as it is written on the command line; nil where it is neither text nor number. Paths are
    /// relative to the session's folder, so that it can be moved and archived.
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

    /// Options of a command that were typed, as a session keeps them: what is asked for this once is left out, and what
    /// the session's own files hold.
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
            guard option.isRepeating else {
                said[name] = .text(value)
                continue
            }
            if case .list(let list)? = said[name] {
                said[name] = .list(list + [.text(value)])
            } else {
                said[name] = .list([.text(value)])
            }
        }
        return said
    }
}
