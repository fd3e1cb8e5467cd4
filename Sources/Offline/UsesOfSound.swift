import AudioIO
import Loading
import Soundstage

/// Result of each offline command for a sound file, and a command line that works.
struct UsesOfSound {
    private let path: String
    private let layout: Layout
    private let channelCount: Int
    private let isSteadied: Bool

    /// Describes a file that is played as a layout.
    init(_ path: String, _ layout: Layout, _ channelCount: Int, isSteadied: Bool) {
        (self.path, self.layout, self.channelCount, self.isSteadied) = (path, layout, channelCount, isSteadied)
    }

    /// All commands, in the order of the help.
    var all: [UseOfSound] {
        let name = layout.name
        let steady = isSteadied && layout.ambisonics != nil ? ["--steady", "world"] : []
        return [
            use("render", "\(name) on the stage, rendered for two ears", [path, output("ears")] + steady),
            process(steady), upmix,
            use("preview", "plays through JACK", [path, "--connect-out", "physical"]),
            use(
                "bake",
                name == "stereo"
                    ? "the same channels, parameters beside them" : "the same channels, and a stereo fold-down",
                [path, output("master")]),
            use("loudness", "integrated, range and true peak", [path]),
        ]
    }

    private func process(_ steady: [String]) -> UseOfSound {
        if layout.ambisonics != nil {
            return use("process", "\(layout.name) becomes loudspeakers", [path, output("5.1"), "--to", "5.1"] + steady)
        }
        if channelCount > 2 {
            return use("process", "folds down to stereo", [path, output("stereo"), "--to", "stereo", "--fit"])
        }
        return use(
            "process", "\(layout.name) becomes a sound field", [path, output("field"), "--to", "ambi3"])
    }

    private var upmix: UseOfSound {
        guard channelCount > 2 else {
            return use("upmix", "\(layout.name) becomes 5.1", [path, output("stage")])
        }
        return UseOfSound(
            command: "upmix", result: "it has \(channelCount) channels; an upmix starts from stereo or mono",
            isRefused: true,
            line: ShellLine(["proscenium", "process", path, output("stereo"), "--to", "stereo"]).text)
    }

    private func use(_ command: String, _ result: String, _ words: [String]) -> UseOfSound {
        UseOfSound(
            command: command, result: result, isRefused: false, line: ShellLine(["proscenium", command] + words).text)
    }

    private func output(_ mark: String) -> String { Self.output(path, mark) }

    /// Returns a file name in the current folder: `film.ears.wav`.
    private static func output(_ path: String, _ mark: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? "out"
        let stem = name.lastIndex(of: ".").flatMap { $0 > name.startIndex ? String(name[..<$0]) : nil } ?? name
        return "\(stem).\(mark).wav"
    }

    /// Returns the results for a file that every command refuses as it is.
    static func refused(_ path: String, _ error: SessionError, _ channelCount: Int) -> [UseOfSound] {
        let lines = [
            ("render", [path, output(path, "ears")]), ("process", [path, output(path, "stereo"), "--to", "stereo"]),
            ("bake", [path, output(path, "master")]), ("loudness", [path]),
        ]
        var uses = lines.map { command, words in
            let line = ["proscenium", command] + words
            let works = error.remedy.map { ShellLine($0.applied(to: line)).text }
            return UseOfSound(
                command: command, result: error.description, isRefused: true, line: works ?? ShellLine(line).text)
        }
        if channelCount <= 2 {
            uses.append(
                UseOfSound(
                    command: "upmix", result: "becomes 5.1", isRefused: false,
                    line: ShellLine(["proscenium", "upmix", path, output(path, "stage")]).text))
        }
        return uses
    }
}
