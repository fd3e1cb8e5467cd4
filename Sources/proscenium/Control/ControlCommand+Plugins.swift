import ArgumentParser
import Foundation
import Session

/// What `ctl` asks of plugins.
extension ControlCommand {
    struct Plugin: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Adds, removes, orders, bypasses and sets plugins while the session plays.",
            discussion: """
                Examples:
                  proscenium ctl plugin add 'ears=http://gareus.org/oss/lv2/dpl#stereo,name=limiter'
                  proscenium ctl plugin set limiter gain -3
                  proscenium ctl plugin bypass limiter

                Every change fades in 50 ms. Bypass keeps the latency. Names are shown by 'ctl plugin list'.
                """,
            subcommands: [
                List.self, Add.self, Remove.self, Move.self, Replace.self, Bypass.self, Assign.self, Preset.self,
                Restart.self, MIDI.self, Save.self, Load.self,
            ], defaultSubcommand: List.self)

        /// The name of a plugin in a chain.
        struct Named: ParsableArguments {
            @Argument(help: "The plugin, by the name that 'ctl plugin list' shows.") var name: String
        }

        struct Add: ControlRequest {
            static let configuration = CommandConfiguration(
                abstract: "Puts a plugin into a chain.",
                discussion: "Example: proscenium ctl plugin add main=http://lv2plug.in/plugins/eg-amp,gain=-6")
            @OptionGroup var port: ControlPort
            @Argument(
                help: ArgumentHelp(PluginOptions.explanation, valueName: "where=uri[,key=value...]"),
                transform: PluginRequest.read)
            var plugin: PluginRequest
            @Option(help: ArgumentHelp("Before the insert at this position, from 0 on; else behind the last."))
            var at: Int?

            var command: SessionCommand { .plugin(.add(plugin, position: at)) }
        }

        struct Remove: ControlRequest {
            static let configuration = CommandConfiguration(abstract: "Takes a plugin out of its chain.")
            @OptionGroup var port: ControlPort
            @OptionGroup var plugin: Named
            var command: SessionCommand { .plugin(.remove(plugin.name)) }
        }

        struct Move: ControlRequest {
            static let configuration = CommandConfiguration(
                abstract: "Gives a plugin another position in its chain, from 0 on.")
            @OptionGroup var port: ControlPort
            @OptionGroup var plugin: Named
            @Argument(help: "The position.") var position: Int
            var command: SessionCommand { .plugin(.move(plugin.name, to: position)) }
        }

        struct Replace: ControlRequest {
            static let configuration = CommandConfiguration(abstract: "Puts another plugin in the place of one.")
            @OptionGroup var port: ControlPort
            @OptionGroup var plugin: Named
            @Argument(help: ArgumentHelp("The other.", valueName: "uri[,key=value...]")) var by: String

            func validate() throws { _ = try PluginRequest(parsing: "here=" + by) }

            var command: SessionCommand {
                // What `validate` has parsed parses again.
                let request =
                    (try? PluginRequest(parsing: "here=" + by)) ?? PluginRequest(place: "here", identifier: by)
                return .plugin(.replace(plugin.name, request))
            }
        }

        struct Bypass: ControlRequest {
            static let configuration = CommandConfiguration(
                abstract: "Has sound pass a plugin, as late as it would make it; on, off, or the other of the two.")
            @OptionGroup var port: ControlPort
            @OptionGroup var plugin: Named
            @Argument(help: "on, off or toggle.") var state = "toggle"

            func validate() throws {
                guard ["on", "off", "toggle"].contains(state) else {
                    throw ValidationError("bypass takes on, off or toggle, not '\(state)'")
                }
            }

            var command: SessionCommand { .plugin(.bypass(plugin.name, state == "toggle" ? nil : state == "on")) }
        }

        struct Assign: ControlRequest {
            static let configuration = CommandConfiguration(
                commandName: "set", abstract: "Sets a control or a property of a plugin.",
                discussion: "Example: proscenium ctl plugin set eq gain1 -3.5")
            @OptionGroup var port: ControlPort
            @OptionGroup var plugin: Named
            @Argument(help: "The control's symbol, or a property's URI or its last word; see 'plugin info'.")
            var symbol: String
            @Argument(
                parsing: .allUnrecognized,
                help: "A number in the control's unit, a choice's name, on or off, a text or a path.")
            var value: [String]

            var command: SessionCommand {
                // A "--" before a number below zero is welcome, and no part of it.
                let words = value.first == "--" ? value.dropFirst() : value[...]
                return .plugin(.set(plugin.name, symbol: symbol, value: words.joined(separator: " ")))
            }
        }

        struct Preset: ControlRequest {
            static let configuration = CommandConfiguration(abstract: "Loads a preset of a plugin.")
            @OptionGroup var port: ControlPort
            @OptionGroup var plugin: Named
            @Argument(help: "The preset, by URI or label; see 'plugin presets'.") var preset: String
            var command: SessionCommand { .plugin(.preset(plugin.name, preset)) }
        }

        struct Restart: ControlRequest {
            static let configuration = CommandConfiguration(
                abstract: "Makes a plugin anew that was taken out because it misbehaved.")
            @OptionGroup var port: ControlPort
            @OptionGroup var plugin: Named
            var command: SessionCommand { .plugin(.restart(plugin.name)) }
        }

        struct MIDI: ControlRequest {
            static let configuration = CommandConfiguration(
                commandName: "midi", abstract: "Sends a MIDI message to a plugin.",
                discussion: "Example: proscenium ctl plugin midi sampler 144 60 100")
            @OptionGroup var port: ControlPort
            @OptionGroup var plugin: Named
            @Argument(help: "One to three bytes, 0 to 255.") var bytes: [UInt8]

            func validate() throws {
                guard (1...3).contains(bytes.count) else { throw ValidationError("a MIDI message has 1 to 3 bytes") }
            }

            var command: SessionCommand { .plugin(.midi(plugin.name, bytes)) }
        }

        struct Save: ControlRequest {
            static let configuration = CommandConfiguration(abstract: "Saves all chains and their state into a folder.")
            @OptionGroup var port: ControlPort
            @Argument(
                help: "The folder: a new one, an empty one, or one that was saved so.", completion: .directory,
                transform: TypedPath.whole) var folder: String
            var command: SessionCommand { .plugin(.save(folder)) }
        }

        struct Load: ControlRequest {
            static let configuration = CommandConfiguration(abstract: "Takes all chains from a folder that was saved.")
            @OptionGroup var port: ControlPort
            @Argument(
                help: "The folder, on the session's machine.", completion: .directory,
                transform: TypedPath.whole) var folder: String
            var command: SessionCommand { .plugin(.load(folder)) }
        }
    }
}
