import Capture
import Desk
import OSC

/// Wire format of a capture's events and levels, and the refusal of unknown addresses. The requests are the rows of the
/// table of commands for a capture (`Command.rows(of: .capture)`), which `ControlRequest` reads.
enum CaptureMessages {
    private static let root = ControlWire.prefix + "capture/"

    /// Refusal of an address that is not in the table. It lists the known addresses: first actions, then queries, then
    /// `watch`.
    static var unknown: ControlWire.Unusable {
        let rows = Command.rows(of: .capture)
        let kinds = [Command.Kind.deed, .question] + DoorCommand.allCases.map(Command.Kind.door)
        let words = kinds.flatMap { kind in rows.filter { $0.kind == kind }.map(\.id) }
        return ControlWire.Unusable(
            reason: "a capture has no such command; its commands are \(words.joined(separator: ", "))")
    }

    /// Returns the message for an event, for the watching clients.
    static func message(for event: CaptureEvent) -> OSCMessage {
        OSCMessage(root + "event", [.string(event.description)])
    }

    /// Returns the message for the levels, for the watching clients. It consists of the duration of the take in seconds
    /// (−1 without a take), the gain in dB, and for each input and output its name, peak and root mean square in dBFS
    /// (at least −120).
    static func levels(_ status: CaptureEngine.Status) -> OSCMessage {
        var arguments: [OSCArgument] = [.float(Float(status.seconds ?? -1)), .float(Float(status.gain))]
        for (name, level) in status.inputs + status.outputs {
            let state = CaptureState.Channel(name, level)
            arguments += [.string(name), .float(Float(state.peak)), .float(Float(state.rms))]
        }
        return OSCMessage(root + "levels", arguments)
    }
}
