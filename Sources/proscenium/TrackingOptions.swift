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

    @Option(help: "What the stage stays with: device, head (its own tracker alone) or static (nothing moves).")
    var reference: SessionCommand.Reference = .device

    @Option(
        help: ArgumentHelp(
            "How much of the head's yaw, pitch and roll the stage makes up for, 0 to 1 each.",
            valueName: "yaw,pitch,roll"))
    var follow: FollowWeights = FollowWeights()

    @Option(
        name: .customLong("yaw-pull"),
        help: ArgumentHelp("Slow pull of yaw to the front, degrees per second; 0 turns it off.", valueName: "deg/s"))
    var yawPull: Double = 0.1

    @Option(
        help: ArgumentHelp(
            "Send the head's pose on as OSC, so that other programs share the tracker; /ypr unless another message is named.",
            valueName: "[address:]port[,message]"))
    var broadcast: String?

    /// Checks ranges that the types do not.
    func validate() throws {
        guard yawPull.isFinite, (0...10).contains(yawPull) else {
            throw ValidationError("--yaw-pull must lie between 0 and 10 degrees per second, not \(yawPull)")
        }
    }

    /// The same, as Session takes it.
    var settings: TrackingSettings {
        TrackingSettings(
            head: head, device: device, reference: reference, follow: follow, yawPull: yawPull,
            broadcast: broadcast)
    }
}

extension SessionCommand.Reference: ExpressibleByArgument {}

extension FollowWeights: ExpressibleByArgument, CustomStringConvertible {
    /// `1,1,0.5`; nil unless there are three numbers from 0 to 1.
    public init?(argument: String) {
        let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).compactMap { Double($0) }
        guard numbers.count == 3 else { return nil }
        self.init(yaw: numbers[0], pitch: numbers[1], roll: numbers[2])
    }

    /// `yaw,pitch,roll`.
    public var description: String { "\(yaw),\(pitch),\(roll)" }
}
