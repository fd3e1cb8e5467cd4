import Foundation
import Gate

/// The user's config file.
enum ConfigFile {
    /// A line and its section; nil before the first section.
    struct Line {
        let section: String?
        let line: Recipe.Line
    }

    /// Path of the file.
    static var path: String {
        let environment = ProcessInfo.processInfo.environment
        let base = BaseFolder.config.named(in: environment) ?? (environment["HOME"] ?? "/") + "/.config"
        return base + "/proscenium/config"
    }

    /// Returns the lines of a file; none without a file.
    ///
    /// - Throws: `Failure` for a file that cannot be read, and for a line that is no option of its section.
    static func lines(at path: String) throws -> [Line] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        // A megabyte is many times one line for each option of each command.
        guard let bytes = try? BoundedFile.bytes(of: path, most: 1 << 20),
            let text = String(validating: bytes, as: UTF8.self)
        else {
            throw Failure(
                .input,
                "\(path) cannot be read as text in UTF-8 of a megabyte at most; write lines 'option = value' into it, or remove it"
            )
        }
        var section: (name: String, options: [String: KnownOption])?
        var lines: [Line] = []
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let content = withoutRemark(line)
            if content.isEmpty { continue }
            let place = "\(path), line \(number + 1)"
            if content.hasPrefix("["), content.hasSuffix("]") {
                let name = String(content.dropFirst().dropLast())
                guard KnownOption.commands[name] != nil else {
                    throw Failure(.input, "\(place): [\(name)] is not a command with defaults")
                }
                section = (name, KnownOption.settable(of: name))
                continue
            }
            let parts = content.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard parts.count == 2, !parts[1].isEmpty else {
                throw Failure(.input, "\(place): expected 'option = value', found '\(content)'")
            }
            if let section, section.options[parts[0]] == nil {
                throw Failure(.input, "\(place): there is no option '\(parts[0])' of \(section.name)")
            }
            lines.append(
                Line(section: section?.name, line: Recipe.Line(option: parts[0], values: [parts[1]], place: place)))
        }
        return lines
    }

    /// Removes a remark: `#` at the line's start or after white space. Values may contain `#`.
    private static func withoutRemark(_ line: Substring) -> String {
        var before: Character = " "
        let content = line.prefix { character in
            defer { before = character }
            return character != "#" || !before.isWhitespace
        }
        return content.trimmingCharacters(in: .whitespaces)
    }
}
