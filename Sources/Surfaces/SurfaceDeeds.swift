import Desk
import Stages

/// What is done at an address without a value, as by a key.
enum SurfaceDeeds {
    /// The name under which a key asks for the stage and gives it back.
    private static let interruption = "surface"

    /// The command of an address; nil where nothing is done without a value.
    static func command(_ address: String) -> SessionCommand? {
        switch address {
        case "interrupt/begin": return .playback(.beginInterruption(name: interruption, .pause, lease: nil))
        case "interrupt/end": return .playback(.endInterruption(name: interruption, resumes: true))
        default:
            guard Command.at(address)?.row.isDeed == true, case .command(let command)? = Command.read(address, [])
            else { return nil }
            return command
        }
    }
}
