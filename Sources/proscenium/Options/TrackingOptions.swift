import ArgumentParser
import IMU
import Session
import Trackers

/// Options of the trackers.
struct TrackingOptions: CheckedOptions {
    @Option(
        help: ArgumentHelp(
            "The headphones' tracker, or none for a still head; 'tracker list' shows all kinds.", valueName: "tracker"),
        completion: .trackers)
    var head: String = "none"

    @Option(
        help: ArgumentHelp("The tracker of the device or vehicle, to which the stage is fixed.", valueName: "tracker"),
        completion: .trackers)
    var device: String = "none"

    @OptionGroup var choices: ParameterOptions<TrackingRows>

    @Option(
        help: ArgumentHelp(
            "Send the head's pose as OSC, so that other programs can share the tracker (default message: /ypr).",
            valueName: "[address:]port[,message]"))
    var broadcast: String?

    /// Prefixes of a tracker's text, with the usual ports.
    static let kinds: [String] =
        TrackerFormat.all.compactMap { format in format.port.map { "\(format.name):\($0)" } }
        + ["udp:auto", "serial:auto", "hid:auto", "midi:", "file:", "none"]

    func check() throws {
        if let fault = TrackingSettings(head: head, device: device).fault { throw ValidationError(fault) }
    }

    /// The options as Session's settings.
    var settings: TrackingSettings {
        var settings = TrackingSettings(head: head, device: device, broadcast: broadcast)
        settings.take(choices.changes)
        return settings
    }
}
