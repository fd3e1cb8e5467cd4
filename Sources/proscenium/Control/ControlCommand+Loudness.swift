import ArgumentParser
import Desk
import Foundation
import Gate
import Metering
import Session
import Stages

/// Commands of `ctl` for loudness and dynamics.
extension ControlCommand {
    struct Loudness: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Shows the loudness meters, or sets the stated loudness and the target loudness of inputs.",
            discussion: """
                Examples:
                  proscenium ctl loudness
                  proscenium ctl loudness --programme -18.5 --target -23
                """)
        @OptionGroup var port: ControlPort
        @OptionGroup var meant: Input
        @Option(parsing: .unconditional, help: ArgumentHelp("Loudness of the input.", valueName: "LUFS"))
        var programme: String?
        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("Loudness of its dialogue, \(Parameter.named("dialnorm")?.takes ?? "").", valueName: "n")
        )
        var dialnorm: String?
        @Option(
            parsing: .unconditional,
            help: ArgumentHelp(
                "Target loudness of the input: LUFS, line (-31), rf (-20) or off.", valueName: "target"))
        var target: String?
        @Flag(help: "Restart integrated loudness, range and maxima.") var reset = false
        @Flag(help: "As one line of JSON.") var json = false

        private var words: [(key: String, value: String)] {
            [("programme-loudness", programme), ("dialnorm", dialnorm), ("loudness-target", target)].compactMap {
                key, value in value.map { (key, $0) }
            }
        }

        func validate() throws { try ControlCommand.check(words) }

        func run() async throws {
            for (name, value) in words { try await set(name, value, meant.input, port) }
            if reset { _ = try await port.request(.loudness(reset: true)) }
            guard words.isEmpty, !reset else { return }
            try show(try await port.request(.loudness(reset: false)))
        }

        @inline(never)
        private func show(_ text: String) throws {
            if json { return print(text) }
            let status = try JSONValue.decode(LoudnessStatus.self, from: text.utf8, within: .child)
            for line in StatusText.loudness(status) { print(line) }
        }
    }

    struct DRC: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "drc", abstract: "Compresses the dynamics of an input, or of all.",
            discussion: "Example: proscenium ctl drc film-standard --boost 0.5")
        @OptionGroup var port: ControlPort
        @OptionGroup var meant: Input
        @Argument(
            help: ArgumentHelp("\(Parameter.named("drc")?.takes ?? "")."),
            completion: .list(Parameter.named("drc")?.words ?? []))
        var profile: String
        @Option(help: ArgumentHelp("Share of the attenuation that is applied, 0 to 1.", valueName: "share"))
        var cut: String?
        @Option(help: ArgumentHelp("Share of the amplification that is applied, 0 to 1.", valueName: "share"))
        var boost: String?

        private var words: [(key: String, value: String)] {
            [("drc-cut", cut), ("drc-boost", boost), ("drc", profile)].compactMap { key, value in
                value.map { (key, $0) }
            }
        }

        func validate() throws { try ControlCommand.check(words) }

        func run() async throws {
            for (name, value) in words { try await set(name, value, meant.input, port) }
        }
    }

    /// Throws the parser's error for an invalid value.
    private static func check(_ words: [(key: String, value: String)]) throws {
        for (name, value) in words {
            do throws(ParameterError) { _ = try ParameterChange(name, [value]) } catch {
                throw ValidationError(error.description)
            }
        }
    }
}

/// Sets a parameter of a session from its name and the typed value; `input` nil: on all inputs.
private func set(_ name: String, _ value: String, _ input: String?, _ port: ControlPort) async throws {
    _ = try await port.request(.set(try ParameterChange(name, [value], input: input)))
}
