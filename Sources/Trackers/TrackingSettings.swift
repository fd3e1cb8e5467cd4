import HeadTracking
import IMU
import Stages

/// Settings of the trackers and of head tracking.
package struct TrackingSettings: Sendable {
    /// Tracker of the head, as on the command line.
    package var head: String
    /// Tracker of the device or vehicle, as on the command line.
    package var device: String
    /// Options of head tracking.
    package var options: HeadTrackerOptions
    /// Destination to which the head's pose is sent as OSC, as on the command line; nil if it is not sent.
    package var broadcast: String?
    /// Stored mountings and biases of trackers.
    package var memory = TrackerMemory()

    /// Creates settings that use the user's default file of stored mountings and biases.
    package init(
        head: String = "none", device: String = "none", options: HeadTrackerOptions = HeadTrackerOptions(),
        broadcast: String? = nil
    ) {
        self.head = head
        self.device = device
        self.options = options
        self.broadcast = broadcast
    }

    /// Message if both trackers would use one UDP port, on the same address or with one of them on all addresses; nil
    /// without such a conflict.
    package var fault: String? {
        guard case .udp(_, let address, let port)? = try? TrackerSpecification.parse(head).source,
            case .udp(_, let other, port)? = try? TrackerSpecification.parse(device).source, port != 0,
            address == other || [address, other].contains("0.0.0.0")
        else { return nil }
        return "--head and --device both use port \(port); give each a port of its own, as \(head) and "
            + "\(device.replacing(String(port), with: String(port + 1)))"
    }

    /// Applies the changes of tracking parameters; ignores all others.
    package mutating func take(_ changes: [ParameterChange]) {
        for change in changes {
            if case .tracking(let set) = change.parameter.effect { set(&options.choices, change.value) }
        }
    }
}
