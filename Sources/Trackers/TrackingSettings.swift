import HeadTracking
import IMU
import Stages

/// Which trackers are followed, and how.
package struct TrackingSettings: Sendable {
    /// The head's tracker, in the words of the command line.
    package var head: String
    /// The tracker of the device or vehicle, likewise.
    package var device: String
    /// How they are followed.
    package var options: HeadTrackerOptions
    /// Where the head's pose is sent on as OSC, in the words of the command line; nil: nowhere.
    package var broadcast: String?
    /// Trackers' stored mountings and biases.
    package var memory = TrackerMemory()

    /// All choices.
    package init(
        head: String = "none", device: String = "none", options: HeadTrackerOptions = HeadTrackerOptions(),
        broadcast: String? = nil
    ) {
        self.head = head
        self.device = device
        self.options = options
        self.broadcast = broadcast
    }

    /// Why the two trackers exclude each other, both listening on one port; nil if not.
    package var fault: String? {
        guard case .udp(_, let address, let port)? = try? TrackerSpecification.parse(head).source,
            case .udp(_, let other, port)? = try? TrackerSpecification.parse(device).source, port != 0,
            address == other || [address, other].contains("0.0.0.0")
        else { return nil }
        return "--head and --device are both to listen at port \(port); give each a port of its own, as \(head) and "
            + "\(device.replacing(String(port), with: String(port + 1)))"
    }

    /// Applies the changes of tracking parameters; ignores all others.
    package mutating func take(_ changes: [ParameterChange]) {
        for change in changes {
            if case .tracking(let set) = change.parameter.effect { set(&options, change.value) }
        }
    }
}
