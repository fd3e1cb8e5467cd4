import Desk
import Stages

/// Actions of the session, which have an address but no value, for example for a key of a surface.
enum SurfaceDeeds {
    /// Name of the interruption that a key begins and ends.
    private static let interruption = "surface"

    /// Returns the command for an address; nil if the address is not that of an action (`Command.isDeed`).
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
