import ArgumentParser
import Control
import Desk
import Foundation
import Session
import Soundstage
import Stages

/// `ctl NAME VALUE`: sets a parameter of the table.
extension ControlCommand {
    /// The input that a command applies to.
    struct Input: ParsableArguments {
        @Option(
            help: ArgumentHelp("Only this input ('main' is the one of --layout); else all.", valueName: "name"),
            completion: RunningNames.inputs.completion)
        var input: String?
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sets a parameter; the word 'set' is optional, as in 'ctl level -6'.",
            discussion: """
                Examples: proscenium ctl level -6; proscenium ctl place --input talk -30 10; proscenium ctl room toggle;
                proscenium ctl loudspeaker FL mute on

                \(listing)
                """)
        @OptionGroup var port: ControlPort
        @OptionGroup var meant: Input
        @Argument(
            parsing: .allUnrecognized, help: ArgumentHelp("A parameter and its value.", valueName: "name value"),
            completion: .custom { words, place, _ in Set.completions(words, at: place) })
        var words: [String] = []

        /// All parameters and the values they take, one line each.
        static var listing: String {
            let width = Parameter.all.map(\.id.count).max() ?? 0
            return
                (["Parameters (described in parameters.md and the man page):"]
                + Parameter.all.map {
                    "  \($0.id.padding(toLength: width, withPad: " ", startingAt: 0))  \($0.takes)"
                }).joined(separator: "\n")
        }

        /// Returns completions: the names of parameters, or the values of the parameter already named. After
        /// `loudspeaker`: the loudspeakers, then their parameters, then the values of that parameter. After
        /// `scene-clear`: the scenes of the running session. `place`: index of the word to complete.
        static func completions(_ words: [String], at place: Int) -> [String] {
            if let first = words.firstIndex(of: "loudspeaker"), place > first {
                switch place - first {
                case 1: return loudspeakers
                case 2: return Parameter.all.filter(\.isOfLoudspeakers).map(\.loudspeakerWord)
                default: return words.count > first + 2 ? Parameter.ofLoudspeaker(words[first + 2])?.words ?? [] : []
                }
            }
            let named = words.lazy.compactMap { word in Parameter.all.first { $0.id == word } }.first
            if named?.id == "scene-clear" {
                let scenes = RunningNames.scenes.all(for: words)
                if !scenes.isEmpty { return scenes }
            }
            return named?.words ?? Parameter.all.map(\.id) + ["loudspeaker"]
        }

        /// Symbols of the loudspeakers of all named layouts, each once, from the last layout to the first; then the
        /// groups.
        private static var loudspeakers: [String] {
            var seen: Swift.Set<String> = []
            return StageSettings.layoutNames.reversed().flatMap { name in
                (try? Layout.named(name))?.loudspeakers.map(\.symbol) ?? []
            }.filter { seen.insert($0).inserted } + LoudspeakerGroup.allCases.map(\.rawValue)
        }

        private var change: ParameterChange {
            get throws {
                guard let name = words.first else { throw ValidationError("name a parameter and its value") }
                if name == "loudspeaker" { return try loudspeakerChange }
                do throws(ParameterError) {
                    return try ParameterChange(name, words.dropFirst().filter { $0 != "--" }, input: meant.input)
                } catch {
                    guard case .unknown = error else { throw ValidationError(error.description) }
                    let commands = ControlCommand.configuration.subcommands.map { $0._commandName }
                    throw ValidationError("\(error); commands are \(commands.joined(separator: ", "))")
                }
            }
        }

        /// The change that `loudspeaker NAME WORD VALUE` makes.
        private var loudspeakerChange: ParameterChange {
            get throws {
                let known = Parameter.all.filter(\.isOfLoudspeakers).map(\.loudspeakerWord)
                guard words.count > 3, let parameter = Parameter.ofLoudspeaker(words[2]) else {
                    throw ValidationError(
                        "write 'loudspeaker NAME WORD VALUE', for example loudspeaker FL mute on; the words are "
                            + known.joined(separator: ", "))
                }
                do throws(ParameterError) {
                    return ParameterChange(
                        parameter, try parameter.value(of: Array(words.dropFirst(3))), input: words[1])
                } catch {
                    throw ValidationError(error.description)
                }
            }
        }

        func validate() throws { _ = try change }

        func run() async throws {
            if let present = words.first.flatMap({ Parameter.renamed[$0] }) {
                say("'\(words[0])' is now called '\(present)'")
            }
            let answer = try await port.request(.set(try change.withWholePath))
            // A result goes to standard output, a hint to standard error.
            if answer.hasPrefix("done") { if answer != "done" { say(answer) } } else { print(answer) }
        }
    }
}

extension ParameterChange {
    /// The same change with the absolute path of a file, because the session may have another working folder. A
    /// built-in name takes precedence over a file of that name and stays as it is.
    var withWholePath: ParameterChange {
        guard let kind = MakingName(parameter: parameter) else { return self }
        return ParameterChange(parameter, .word(kind.whole(value.word)), input: input)
    }
}
