import ArgumentParser
import Session
import Surfaces

/// What `ctl` asks of a session's control surface.
extension ControlCommand {
    struct Surface: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Has the control surface of --surface learn what its controls move.",
            discussion: "Example: proscenium ctl surface learn input/main/level",
            subcommands: [Learn.self, Cancel.self])

        struct Learn: ControlRequest {
            static let configuration = CommandConfiguration(
                abstract: "Binds the next control that is moved to an address, and writes the map.",
                discussion: "Example: proscenium ctl surface learn loudspeaker/FL/mute")
            @OptionGroup var port: ControlPort
            @Argument(help: "An address, as level, input/main/level, loudspeaker/FL/mute or recentre.") var address:
                String

            func validate() throws {
                guard SurfaceScale.table(address) == nil else { return }
                throw ValidationError(
                    "it takes an address, as level, input/main/level, loudspeaker/FL/mute or recentre, not '\(address)'"
                )
            }

            var command: SessionCommand { .surface(.learn(address)) }
        }

        struct Cancel: ControlRequest {
            static let configuration = CommandConfiguration(
                abstract: "Binds none of the addresses that wait for a control.",
                discussion: "Example: proscenium ctl surface cancel")
            @OptionGroup var port: ControlPort

            var command: SessionCommand { .surface(.cancel) }
        }
    }
}
