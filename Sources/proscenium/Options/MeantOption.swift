import ArgumentParser
import Gate
import Stages

/// Finds what was meant by a word that the parser refuses: an option, a value or a file. It is the nearest by spelling,
/// or by meaning among the words of ffmpeg and sox. Only options and values of the command itself are named.
struct MeantOption {
    /// Options by the words that ffmpeg and sox have for them, the best first.
    private static let foreign: [String: [String]] = [
        "ss": ["from"], "start": ["from"], "begin": ["from"], "seek": ["from"], "trim": ["from"],
        "end": ["until"], "stop": ["until"], "to": ["until"],
        "t": ["duration"], "length": ["duration"], "dur": ["duration"],
        "ar": ["rate"], "r": ["rate"], "sample-rate": ["rate"], "samplerate": ["rate"],
        "ac": ["to", "layout"], "c": ["to", "layout"], "channels": ["to", "layout"],
        "channel-layout": ["layout", "to"], "ch-layout": ["layout", "to"], "remix": ["to"],
        "out-layout": ["to", "layout"], "output-layout": ["to", "layout"], "in-layout": ["layout"],
        "input-layout": ["layout"], "filmorder": ["order"], "channel-order": ["order"],
        "sample-fmt": ["bits"], "acodec": ["bits"], "codec": ["bits"], "b": ["bits"], "depth": ["bits"],
        "f": ["format"], "container": ["format"], "type": ["format"],
        "vol": ["gain"], "volume": ["gain"], "v": ["gain"], "norm": ["fit"], "normalize": ["fit"], "normalise": ["fit"],
        "lufs": ["loudness-target"], "loudness": ["loudness-target"], "loudnorm": ["loudness-target"],
        "force": ["overwrite"], "sofa": ["hrtf"], "target": ["to"],
    ]
    /// Options of other programs for the files, which are arguments without an option here.
    private static let files = ["i": "IN", "input": "IN", "infile": "IN", "o": "OUT", "output": "OUT", "out": "OUT"]

    /// Words of the command, and its options.
    private let command: String
    private let options: [String]
    private let hasOutput: Bool
    private let typed: [String]

    /// Reads which command was typed.
    init(_ typed: [String]) {
        var known: [any ParsableCommand.Type] = Proscenium.subcommands
        var found: (any ParsableCommand.Type)?
        var words: [String] = []
        for word in typed {
            guard let next = known.first(where: { $0._commandName == word }) else { break }
            (found, known) = (next, next.configuration.subcommands)
            words.append(word)
        }
        command = words.joined(separator: " ")
        options = found.map { KnownOption.all(of: $0).map(\.name) } ?? []
        hasOutput = options.contains("to-folder")
        self.typed = typed
    }

    /// Returns the parser's message, with what was meant instead of the parser's own guess.
    func told(_ message: String) -> String {
        var lines = message.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let first = lines.first else { return message }
        let line = ForeignLine.translated(typed).map { "; this works: \($0)" } ?? ""
        guard !command.isEmpty else {
            lines[0] += line
            return lines.joined(separator: "\n")
        }
        if let name = Self.quoted(first, after: "Unknown option ") {
            let plain = String(name.drop { $0 == "-" }.prefix { $0 != "=" })
            lines[0] = "Error: Unknown option '\(name)' of '\(command)'" + (meaning(of: plain).map { "; \($0)" } ?? "")
        } else if let word = Self.quoted(first, after: "Unexpected argument "), !word.isEmpty {
            if let hint = hint(for: word) { lines[0] += "; \(hint)" }
        } else if first.contains(" unexpected arguments: "), let word = Self.quoted(first, after: "arguments: ") {
            if let hint = hint(for: word) { lines[0] += "; \(hint)" }
        } else if let value = Self.quoted(first, after: "The value "),
            let word = NearestWord.among(Self.values(in: message), for: value)
        {
            lines[0] += (first.hasSuffix(":") ? " the nearest is '\(word)'" : " The nearest is '\(word)'.")
        }
        lines[0] += line
        if lines.count > 1, command == "ctl" || command == "ctl set" { lines[1] = Self.usage(lines[1], typed) }
        return lines.joined(separator: "\n")
    }

    /// Returns the option that a word without dashes may mean; nil without one.
    func hint(for word: String) -> String? { option(for: word).map { "'\(command)' takes --\($0)" } }

    /// Returns the parser's lines on `ctl set` with the usage of the parameter that was typed.
    private static func usage(_ text: String, _ typed: [String]) -> String {
        guard let row = typed.lazy.compactMap({ Parameter.named($0) }).first,
            let end = text.firstIndex(of: "\n"), text.hasPrefix("Usage: proscenium ctl set")
        else { return text }
        let input = row.isOfInputs ? " [--input <name>]" : ""
        return "Usage: proscenium ctl \(row.id) \(row.form)\(input) [--to <name>] [--port <[address:]port>]"
            + text[end...]
    }

    private func meaning(of name: String) -> String? {
        if let place = Self.files[name.lowercased()], hasOutput {
            return "files stand without an option: proscenium \(command) IN OUT (this is \(place))"
        }
        return option(for: name).map { "the nearest is --\($0)" }
    }

    private func option(for word: String) -> String? {
        let word = word.lowercased().replacing("_", with: "-")
        let meant = (Self.foreign[word] ?? []).first { options.contains($0) }
        return meant ?? (options.contains(word) ? word : NearestWord.among(options, for: word))
    }

    /// Returns the values that the parser lists: in quotes on its first line, or one a line.
    private static func values(in message: String) -> [String] {
        let lines = message.split(separator: "\n")
        guard let first = lines.first, let list = first.firstRange(of: "one of ") else { return [] }
        let quoted = first[list.upperBound...].split(separator: "'", omittingEmptySubsequences: false)
        let here = quoted.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
        return here + lines.filter { $0.hasPrefix("  - ") }.map { String($0.dropFirst(4)) }
    }

    /// Returns the text in the first quotes after a phrase; nil without the phrase.
    private static func quoted(_ line: String, after phrase: String) -> String? {
        guard let found = line.firstRange(of: phrase + "'") else { return nil }
        return String(line[found.upperBound...].prefix { $0 != "'" })
    }
}
