import Foundation

/// Defaults for options: from a session folder's `session.json` (with `--session DIR`), then from the user's config file.
/// What stands on the command line wins over both, the session over the config.
enum Defaults {
    /// Options that may have defaults, by command.
    static let options: [String: Set<String>] = [
        "run": [
            "layout", "angles", "hrtf", "processing", "room", "room-early", "room-tail", "room-level", "head", "device",
            "slice", "gain", "lfe-gain", "limiter",
            "connect-out", "name", "control", "midi-control", "yaw-pull", "reference", "follow", "broadcast", "start",
            "record", "poses", "programme-loudness", "dialnorm", "loudness-target", "drc", "drc-cut", "drc-boost",
        ],
        "render": [
            "layout", "angles", "order", "hrtf", "processing", "room", "room-early", "room-tail", "room-level", "slice",
            "block", "gain", "lfe-gain", "limiter", "poses", "programme-loudness", "dialnorm", "loudness-target", "drc",
            "drc-cut", "drc-boost",
        ],
        "track": ["head", "device", "format", "yaw-pull", "reference", "follow", "broadcast"],
        "ctl": ["port"],
    ]

    /// `arguments` with defaults inserted behind the command's name.
    static func complete(_ arguments: [String]) throws -> [String] {
        guard let command = arguments.first, let known = options[command] else { return arguments }
        var given = Set(
            arguments.dropFirst().filter { $0.hasPrefix("--") }.map {
                String($0.dropFirst(2).prefix { $0 != "=" })
            })
        var inserted: [String] = []
        if command == "run" || command == "render", let folder = value(of: "session", in: arguments) {
            for (key, value) in try session(in: folder) {
                guard known.contains(key) else {
                    // A session serves both commands: what only the other one knows is no mistake.
                    guard options.values.contains(where: { $0.contains(key) }) else {
                        throw Failure(.input, "\(folder)/session.json: there is no option '\(key)'")
                    }
                    continue
                }
                if given.insert(key).inserted { inserted.append("--\(key)=\(value)") }
            }
        }
        for (key, value) in try config(for: command) where known.contains(key) {
            if given.insert(key).inserted { inserted.append("--\(key)=\(value)") }
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

    private static func config(for command: String) throws -> [(String, String)] {
        guard let text = try? String(contentsOfFile: configPath, encoding: .utf8) else { return [] }
        var section: String?
        var entries: [(String, String)] = []
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let content = line.prefix { $0 != "#" }.trimmingCharacters(in: .whitespaces)
            if content.isEmpty { continue }
            let place = "\(configPath), line \(number + 1)"
            if content.hasPrefix("["), content.hasSuffix("]") {
                let name = String(content.dropFirst().dropLast())
                guard options[name] != nil else {
                    throw Failure(.input, "\(place): [\(name)] is no command with defaults")
                }
                section = name
                continue
            }
            let parts = content.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard parts.count == 2, !parts[1].isEmpty else {
                throw Failure(.input, "\(place): expected 'option = value', found '\(content)'")
            }
            let known = section.map { options[$0]! } ?? options.values.reduce(into: []) { $0.formUnion($1) }
            guard known.contains(parts[0]) else {
                throw Failure(.input, "\(place): there is no option '\(parts[0])'\(section.map { " of \($0)" } ?? "")")
            }
            if section == nil || section == command { entries.append((parts[0], parts[1])) }
        }
        return entries
    }
}
