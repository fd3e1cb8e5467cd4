import ArgumentParser
import Desk
import Foundation
import IMU
import Session
import Trackers

/// `proscenium tracker`: lists, probes and calibrates trackers.
struct TrackerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tracker",
        abstract: "Lists trackers, measures the data of one, or finds its mounting.",
        discussion: """
            Examples:
              proscenium tracker list
              proscenium tracker probe serial:auto
              proscenium tracker calibrate hid:auto
            """,
        subcommands: [TrackerListCommand.self, TrackerProbeCommand.self, TrackerCalibrateCommand.self])
}

extension TrackerInlet {
    /// Creates an inlet for commands: MIDI through JACK; mounting and bias from the user's stored calibrations unless
    /// the options set them.
    convenience init(
        _ specification: TrackerSpecification, memory: TrackerMemory? = TrackerMemory(),
        recognise: @escaping @Sendable (Recognition) -> Void = { _ in },
        hearing receive: @escaping @Sendable (TrackerSample) -> Void
    ) {
        self.init(
            specification, clock: { HostClock().now }, transport: JACKMIDITransport(for: specification), memory: memory,
            recognise: recognise, receive: receive)
    }
}

extension TrackerHealth {
    /// Counts of the dropped packets as text, e.g. "3 malformed, 1 checksum"; empty without any.
    var faultWords: String {
        var words = dropped.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.value) \($0.key.rawValue)" }
        if shed > 0 { words.append("\(shed) shed in a flood") }
        if ignored > 0 { words.append("\(ignored) of another sender") }
        return words.joined(separator: ", ")
    }
}
