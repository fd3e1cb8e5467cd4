import ArgumentParser
import Foundation
import Gate
import Loading

/// A command line in the words of ffmpeg or sox, translated to this program's words with the same files and values.
///
/// Options before the first input describe this input if one of them is a format without a header. All other options
/// describe the output. Effects of sox follow the files. A word without a counterpart makes the line untranslatable,
/// because a line that does less than was typed must not be offered.
struct ForeignLine {
    /// Commands that process files, which this translation knows.
    static let commands = ["render", "process", "upmix", "bake", "loudness", "info", "preview"]
    /// Commands that take an input and an output.
    private static let converting = commands[..<4]

    private var command = ""
    private var known: [String: KnownOption] = [:]
    private var inputs: [String] = []
    private var output: String?
    private var options: [[String]] = []
    private var source = SampleWords()
    private var target = SampleWords()
    /// Whether a word has no counterpart.
    private var isLost = false

    /// Returns a line of this program's words that the parser accepts; nil if no such line is known, or if the typed
    /// words need no translation.
    static func translated(_ typed: [String]) -> String? {
        if typed.first == "-version" { return "proscenium --version" }
        guard let words = ForeignLine(typed)?.words, words != typed,
            (try? Proscenium.parseAsRoot(words)) != nil
        else { return nil }
        return ShellLine(["proscenium"] + words).text
    }

    private init?(_ typed: [String]) {
        guard let first = typed.first else { return nil }
        var words = typed[...]
        if Self.commands.contains(first) {
            (command, words) = (first, words.dropFirst())
        } else if let meant = Self.foreignCommands[first] {
            (command, words) = (meant, words.dropFirst())
        } else {
            guard first.hasPrefix("-") || first.contains(".") || first.contains("/") else { return nil }
            command = words.contains { ["stat", "stats"].contains($0) } ? "loudness" : "render"
        }
        guard let type = Proscenium.subcommands.first(where: { $0._commandName == command }) else { return nil }
        known = Dictionary(KnownOption.all(of: type).map { ($0.name, $0) }) { first, _ in first }
        while let word = words.popFirst(), !isLost { take(word, &words) }
    }

    /// The words of the translated line; nil if there is none.
    private var words: [String]? {
        guard !isLost else { return nil }
        var (files, options) = (inputs, options)
        if Self.converting.contains(command) {
            let last = output ?? (files.count > 1 ? files.removeLast() : nil)
            if files.count > 1, let last, Self.isFolder(last), known["to-folder"] != nil {
                options.append(["--to-folder", last])
            } else {
                guard files.count == 1 else { return nil }
                guard let last = last ?? files.first.map(Self.outputName(command)) else { return nil }
                files.append(last)
            }
        } else if output != nil || files.isEmpty {
            return nil
        }
        if command == "preview", !options.contains(where: { $0[0] == "--connect-out" }) {
            options.append(["--connect-out", "physical"])
        }
        guard let reading = source.isRaw ? source.readingOptions : [], let first = source.isRaw ? [] : written(source),
            let own = written(target)
        else { return nil }
        return [command] + files + (options + reading + first + own).flatMap(Self.joined)
    }

    /// Returns an option's words; a value that begins with a sign is joined to its option.
    private static func joined(_ option: [String]) -> [String] {
        option.count == 2 && option[1].hasPrefix("-") && option[1] != "-" ? ["\(option[0])=\(option[1])"] : option
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return path.hasSuffix("/")
            || FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// Returns a name for an output that was not named: `film.ears.wav`.
    private static func outputName(_ command: String) -> (String) -> String {
        { input in
            let name = input.split(separator: "/").last.map(String.init) ?? "out"
            let stem = name.lastIndex(of: ".").flatMap { $0 > name.startIndex ? String(name[..<$0]) : nil } ?? name
            return "\(stem).\(command == "render" ? "ears" : command == "upmix" ? "stage" : "out").wav"
        }
    }

    /// Returns the options that give an output its rate, layout and samples; nil if the command has no such option.
    private func written(_ sound: SampleWords) -> [[String]]? {
        var found: [[String]] = []
        if let format = sound.format { found.append(["--format", format]) }
        if let rate = sound.rate { found.append(["--rate", rate]) }
        if let bits = sound.encodingName { found.append(["--bits", bits]) }
        if let channels = sound.channels {
            switch (command, channels) {
            case ("render", "2"): break
            case ("process", _), ("upmix", _):
                guard let layout = Self.layouts[channels] else { return nil }
                found.append([command == "process" ? "--to" : "--layout", layout])
            default: return nil
            }
        }
        return found
    }

    /// Takes a word, and from `rest` the words that belong to it.
    private mutating func take(_ word: String, _ rest: inout ArraySlice<String>) {
        guard word.hasPrefix("-"), word != "-" else {
            // After the output, or after the input of a command without output, a word may be an effect of sox.
            let isBehind =
                Self.converting.contains(command) ? inputs.count + (output == nil ? 0 : 1) > 1 : !inputs.isEmpty
            if isBehind, Self.effects.contains(word) { return takeEffect(word, &rest) }
            return inputs.append(word)
        }
        let parts = word.drop { $0 == "-" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first.map(String.init) ?? ""
        var said = parts.count > 1 ? String(parts[1]) : nil
        func value() -> String { said ?? rest.popFirst() ?? "" }
        if word.hasPrefix("--"), let option = known[name] {
            options.append(option.isFlag ? [word] : ["--\(name)", value()])
            return
        }
        if Self.silent.contains(name) || name.first == "V" && name.dropFirst().allSatisfy(\.isNumber) { return }
        let isOfInput = inputs.isEmpty
        switch name {
        case "y", "force", "overwrite": options.append(["-y"])
        case "i", "input", "infile", "info":
            inputs.append(value())
            if word == "--i" || word == "--info", command == "render" { command = "info" }
        case "o", "output", "out", "outfile": output = value()
        case "ss", "start", "seek": options.append(["--from", value()])
        case "to": options.append(["--until", value()])
        case "t" where !(SampleWords.isNumber(said ?? rest.first)), "f":
            let format = value()
            isLost = !(isOfInput ? source.takeFormat(format, isInput: true) : target.takeFormat(format, isInput: false))
        case "t", "duration": options.append(["--duration", value()])
        case "ar", "r", "sample-rate": if isOfInput { source.rate = value() } else { target.rate = value() }
        case "ac", "c", "channels": if isOfInput { source.channels = value() } else { target.channels = value() }
        case "b" where SampleWords.isNumber(said ?? rest.first), "bits":
            if isOfInput { source.bits = value() } else { target.bits = value() }
        case "e", "encoding":
            let encoding = value()
            isLost = !(isOfInput ? source.takeEncoding(encoding) : target.takeEncoding(encoding))
        case "L", "endian-little": source.isBig = false
        case "B", "endian-big": source.isBig = true
        case "c:a", "acodec", "codec", "codec:a", "sample_fmt", "sample-fmt":
            let codec = value()
            isLost = !(isOfInput ? source.takeCodec(codec) : target.takeCodec(codec))
        case "channel_layout", "ch_layout", "channel-layout": options.append(["--layout", value()])
        case "v" where SampleWords.isNumber(said ?? rest.first): takeGain(value())
        case "vol", "volume": takeGain(value())
        case "norm", "G": options.append(["--fit"])
        case "af", "filter:a": takeFilter(value())
        case "of", "print_format", "output_format":
            said = value()
            if said == "json", command == "info" { options.append(["--json"]) } else { isLost = true }
        case "b", "b:a", "ab", "q:a", "aq", "loglevel", "v", "C", "compression": _ = value()
        default: isLost = true
        }
    }

    /// Takes a gain: a factor, or decibels with their unit.
    private mutating func takeGain(_ text: String) {
        if text.lowercased().hasSuffix("db") {
            options.append(["--gain", text])
        } else if let factor = Double(text), factor > 0 {
            options.append(["--gain", String((2000 * log10(factor)).rounded() / 100)])
        } else {
            isLost = true
        }
    }

    /// Takes a filter of ffmpeg.
    private mutating func takeFilter(_ filter: String) {
        let parts = filter.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return isLost = true }
        switch parts[0] {
        case "volume": takeGain(parts[1])
        case "pan": target.channels = Self.counts[String(parts[1].prefix { $0 != "|" })] ?? "?"
        case "aresample": target.rate = parts[1]
        case "loudnorm" where command == "process": takeLoudness(parts[1])
        default: isLost = true
        }
    }

    /// Takes the values of ffmpeg's loudness normalisation: the loudness, and a true peak of −1 dBTP or more, which
    /// this program keeps anyway. The range of loudness has no counterpart.
    private mutating func takeLoudness(_ values: String) {
        var loudness = "-24"
        for value in values.split(separator: ":") {
            let (name, said) = (value.prefix { $0 != "=" }.lowercased(), String(value.drop { $0 != "=" }.dropFirst()))
            switch name {
            case "i": loudness = said
            case "tp" where Double(said).map { $0 >= -1 } == true: break
            case "linear", "print_format": break
            default: isLost = true
            }
        }
        options.append(["--loudness-target", loudness])
    }

    /// Takes an effect of sox with its values.
    private mutating func takeEffect(_ name: String, _ rest: inout ArraySlice<String>) {
        var values: [String] = []
        while let next = rest.first, !Self.effects.contains(next), !next.hasPrefix("--"), next != "-y" {
            values.append(next)
            rest.removeFirst()
        }
        switch (name, values.count) {
        case ("trim", 1...2):
            options.append(["--from", values[0]])
            if values.count == 2 {
                options.append(
                    values[1].hasPrefix("=") ? ["--until", String(values[1].dropFirst())] : ["--duration", values[1]])
            }
        case ("channels", 1): target.channels = values[0]
        case ("remix", 1) where values[0] == "-": target.channels = "1"
        case ("gain", 1) where Double(values[0]) != nil: options.append(["--gain", values[0]])
        case ("gain", 1...2) where values[0] == "-n", ("norm", 0...1): options.append(["--fit"])
        case ("vol", 1): takeGain(values[0])
        case ("rate", 1...): target.rate = values[values.count - 1]
        case ("dither", 0...1): options.append(["--dither", values.isEmpty ? "tpdf" : "shaped"])
        case ("stat", _), ("stats", _): isLost = command != "loudness"
        default: isLost = true
        }
    }
}
