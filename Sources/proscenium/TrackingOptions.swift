import ArgumentParser
import Session

/// Options that say which trackers are followed and how.
struct TrackingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The headphones' tracker; 'tracker list' names all kinds, none for a still head.", valueName: "tracker"))
    var head: String = "none"

    @Option(help: ArgumentHelp("The tracker of the device or vehicle; the stage stays with it.", valueName: "tracker"))
    var device: String = "none"

    @Option(
        name: .customLong("yaw-pull"),
        help: ArgumentHelp("Slow pull of yaw to the front, degrees per second; 0 turns it off.", valueName: "deg/s"))
    var yawPull: Double = 0.1

    /// Checks ranges that the types do not.
    func validate() throws {
        guard yawPull.isFinite, (0...10).contains(yawPull) else {
            throw ValidationError("--yaw-pull must lie between 0 and 10 degrees per second, not \(yawPull)")
        }
    }

    /// The same, as Session takes it.
    var settings: TrackingSettings { TrackingSettings(head: head, device: device, yawPull: yawPull) }
}
