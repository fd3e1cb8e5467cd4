import ArgumentParser
import Foundation

/// Defaults for options: from a session folder's `session.json` (with `--session DIR`), then from the user's config file.
/// What stands on the command line wins over both, the session over the config.
enum Defaults {
    /// An option or a flag of a command.
    private struct Known {
        let name: String
        let isFlag: Bool
    }

    /// What the help of a command lists, as far as it is needed here.
    private struct Help: Decodable {
        struct Command: Decodable { let arguments: [Argument]? }
        struct Argument: Decodable {
            struct Name: Decodable { let kind: String, name: String }

            let kind: String
            let names: [Name]?
        }

        let command: Command
    }

    /// Commands that may have defaults: those without commands of their own, and `ctl`.
    private static let commands: [String: any ParsableCommand.Type] = {
        let all = Proscenium.subcommands.filter { $0.configuration.subcommands.isEmpty } + [ControlCommand.self]
        return Dictionary(
            uniqueKeysWithValues: all.compactMap { type in type.configuration.commandName.map { ($0, type) } })
    }()

    /// What a command's options are called, as its own help lists them.
    private static func options(of command: String) -> [String: Known] {
        guard let type = commands[command] else { return [:] }
        let help = command == "ctl" ? ControlCommand.Port._dumpHelp() : type._dumpHelp()
        let found = try? JSONDecoder().decode(Help.self, from: Data(help.utf8))
        let named = (found?.command.arguments ?? []).flatMap { argument in
            (argument.names ?? []).filter { $0.kind == "long" }.map {
                Known(name: $0.name, isFlag: argument.kind == "flag")
            }
        }
        // What a session is, and what is asked for once, has no default.
        let own = named.filter { !["help", "version", "session"].contains($0.name) }
        return Dictionary(own.map { ($0.name, $0) }) { first, _ in first }
    }

    /// Whether some command has an option of this name.
    private static func isKnown(_ name: String) -> Bool { commands.keys.contains { options(of: $0)[name] != nil } }

    /// `arguments` with defaults inserted behind the command's name.
    static func complete(_ arguments: [String]) throws -> [String] {
        guard let command = arguments.first, commands[command] != nil else { return arguments }
        let folder = command == "run" || command == "render" ? value(of: "session", in: arguments) : nil
        let written = try config()
        guard folder != nil || !written.isEmpty else { return arguments }
        let known = options(of: command)
        var given = Set(
            arguments.dropFirst().filter { $0.hasPrefix("--") }.map {
                String($0.dropFirst(2).prefix { $0 != "=" })
            })
        var inserted: [String] = []
        /// Takes a default unless the option is given; what only other commands know is no mistake.
        func take(_ key: String, _ value: String, from place: String) throws {
            guard let option = known[key] else {
                guard isKnown(key) else { throw Failure(.input, "\(place): there is no option '\(key)'") }
                return
            }
            guard given.insert(key).inserted else { return }
            guard option.isFlag else { return inserted.append("--\(key)=\(value)") }
            switch value {
            case "on", "yes", "true", "1": inserted.append("--\(key)")
            case "off", "no", "false", "0": break
            default: throw Failure(.input, "\(place): '\(key)' is on or off, not '\(value)'")
            }
        }
        if let folder {
            for (key, value) in try session(in: folder) { try take(key, value, from: "\(folder)/session.json") }
        }
        for line in written where line.section == nil || line.section == command {
            try take(line.key, line.value, from: line.place)
        }
        return [command] + inserted + arguments.dropFirst()
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

    private static func session(in folder: String) throws -> [(String, String)] {
        let path = folder + "/session.json"
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw Failure(.input, "\(path) cannot be read; a session is a folder with a session.json in it")
        }
        guard let object = try? JSONSerialization.jsonObject(with: bytes), let entries = object as? [String: Any] else {
            throw Failure(.input, "\(path) is not a JSON object of option names and values")
        }
        return try entries.sorted { $0.key < $1.key }.map { key, value in
            // Paths in a session are relative to its folder, so that it can be moved and archived.
            if let text = value as? String {
                let file = folder + "/" + text
                return (key, text.hasPrefix("/") || !FileManager.default.fileExists(atPath: file) ? text : file)
            }
            guard let number = value as? NSNumber else {
                throw Failure(.input, "\(path): the value of '\(key)' must be a text or a number")
            }
            return (key, number.stringValue)
        }
    }

    /// A line of the config file: its section (nil: before the first), what it sets, and where it stands.
    private struct Line {
        let section: String?
        let key: String
        let value: String
        let place: String
    }

    /// What the config file says; nothing where there is none.
    private static func config() throws -> [Line] {
        guard let text = try? String(contentsOfFile: configPath, encoding: .utf8) else { return [] }
        var section: String?
        var entries: [Line] = []
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let content = line.prefix { $0 != "#" }.trimmingCharacters(in: .whitespaces)
            if content.isEmpty { continue }
            let place = "\(configPath), line \(number + 1)"
            if content.hasPrefix("["), content.hasSuffix("]") {
                let name = String(content.dropFirst().dropLast())
                guard commands[name] != nil else {
                    throw Failure(.input, "\(place): [\(name)] is no command with defaults")
                }
                section = name
                continue
            }
            let parts = content.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard parts.count == 2, !parts[1].isEmpty else {
                throw Failure(.input, "\(place): expected 'option = value', found '\(content)'")
            }
            if let section, options(of: section)[parts[0]] == nil {
                throw Failure(.input, "\(place): there is no option '\(parts[0])' of \(section)")
            }
            entries.append(Line(section: section, key: parts[0], value: parts[1], place: place))
        }
        return entries
    }
}
