import Capture
import Desk
import OSC

/// Wire format of the requests to a capture. The messages for takes and markers are those of a session
/// (`Command.recording`).
///
/// | address | arguments | does |
/// |---|---|---|
/// | `/proscenium/record/start`, `/proscenium/record/stop` | none or a button | begins the take, or completes it |
/// | `/proscenium/record` | none or a button, `on`, `off`, `toggle` | begins the take, or completes it |
/// | `/proscenium/record/marker` | none or a button, or `s` name | sets a marker at the present sound |
/// | `/proscenium/capture/source` | `s` ports | switches to other sources |
/// | `/proscenium/capture/orientation` | `s` | sets the orientation of the device |
/// | `/proscenium/capture/rendition` | `s` | sets the stereo rendition |
/// | `/proscenium/status` | none or a button | answers with the state as JSON |
/// | `/proscenium/watch` | `f` times per second | sends levels and events for 30 s |
enum CaptureMessages {
    /// Request in a message.
    enum Request: Equatable {
        case request(CaptureRequest)
        case status
        /// Release of a button, which has no effect. The reply is done.
        case nothing
    }

    private static let root = ControlWire.prefix + "capture/"
    private static let words =
        "record, record/start, record/stop, record/marker, capture/source, capture/orientation, "
        + "capture/rendition, status, watch"

    /// Returns the request in a message, or the reason why the message contains none.
    static func request(from message: OSCMessage) -> Result<Request, ControlWire.Unusable> {
        let name = ControlWire.name(of: message.address)
        let isOfSession = name == "status" || Command.recording.contains { $0.id == name }
        guard isOfSession, message.address.hasPrefix(ControlWire.prefix) else { return asked(message) }
        return ControlRequest.read(message).flatMap { request in
            switch request {
            case .command(.status): .success(.status)
            case .command(let command): Self.request(command)
            case .nothing: .success(.nothing)
            // Does not occur: neither `status` nor a command for recordings is a request for the door itself.
            case .ofDoor: refused("a capture has no such command")
            }
        }
    }

    private static func asked(_ message: OSCMessage) -> Result<Request, ControlWire.Unusable> {
        switch message.address {
        case root + "source", root + "orientation", root + "rendition":
            let word = message.address.dropFirst(root.count)
            if message.arguments.count == 1, case .string(let said) = message.arguments[0],
                let request = CaptureRequest("\(word) \(said)")
            {
                return .success(.request(request))
            }
            let values =
                switch word {
                case "orientation": InputOrientation.allCases.map(\.rawValue).joined(separator: "|")
                case "rendition": StereoRendition.allCases.map(\.rawValue).joined(separator: "|")
                default: "a pattern of ports, or one for each input"
                }
            return refused("\(word) takes \(values)")
        default: return refused("a capture has no such command; its commands are \(words)")
        }
    }

    private static func request(_ command: SessionCommand) -> Result<Request, ControlWire.Unusable> {
        guard case .record(let record) = command else { return refused("a capture has no such command") }
        switch record {
        case .start(file: nil): return .success(.request(.begin))
        case .start: return refused("the takes of a capture have the name given at its start, and numbers")
        case .stop: return .success(.request(.end))
        case .turn(let on): return .success(.request(.turn(on: on)))
        case .marker(let name): return .success(.request(.mark(name)))
        }
    }

    private static func refused(_ reason: String) -> Result<Request, ControlWire.Unusable> {
        .failure(ControlWire.Unusable(reason: reason))
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
