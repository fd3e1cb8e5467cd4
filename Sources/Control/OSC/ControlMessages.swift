import Desk
import Gate
import Loading
import OSC
import Stages

/// Wire format of control: converts OSC messages to session commands, and replies and events to OSC messages.
///
/// `/proscenium/NAME` sets a parameter of the table (`Parameter.all`); a parameter of inputs or loudspeakers is set for
/// all of them. `/proscenium/input/INPUT/NAME` sets a parameter for one input. `/proscenium/loudspeaker/FL/mute` sets
/// `loudspeaker-mute` of one loudspeaker. `/proscenium/plugin/NAME/set/SYMBOL` sets a plugin's control. All other
/// addresses are in the table of commands (`Command.rows(of: .desk)`).
///
/// The sender of a message gets a reply: `/proscenium/reply` with the address and a text (`done`, a message, or JSON
/// data), or `/proscenium/refused` with the address and the reason. Watching clients receive `/proscenium/event ss` for
/// every event, with its kind and its data as JSON; see `SessionEvent`.
enum ControlMessages {
    private static let prefix = ControlWire.prefix
    static let reply = "/proscenium/reply"
    static let refusal = "/proscenium/refused"

    /// Returns the parameter change in a message, or the reason why it contains none.
    static func parameter(from message: OSCMessage) -> Result<SessionCommand, ControlWire.Unusable> {
        let place =
            message.address.hasPrefix(prefix) ? StateAddress(String(message.address.dropFirst(prefix.count))) : nil
        guard let parameter = place?.parameter else {
            let rows = Command.rows(of: .desk).map(\.id) + Parameter.all.map(\.id)
            let known = (rows + ["input/NAME/level", "loudspeaker/NAME/mute"]).map { prefix + $0 }
            return .failure(
                ControlWire.Unusable(reason: "unknown address; known are " + known.joined(separator: ", ")))
        }
        var written: [String] = []
        for argument in message.arguments {
            guard let text = CommandValue(argument).written else {
                return .failure(ControlWire.Unusable(reason: "\(parameter.id) takes \(parameter.takes)"))
            }
            written.append(text)
        }
        do throws(ParameterError) {
            return .success(.set(try ParameterChange(parameter.id, written, input: place?.subject)))
        } catch {
            return .failure(ControlWire.Unusable(reason: error.description))
        }
    }

    /// Returns a hint if the address has a former name of a parameter; nil for present names.
    private static func hint(for address: String) -> String? {
        guard let slash = address.lastIndex(of: "/") else { return nil }
        let name = String(address[address.index(after: slash)...])
        guard let parameter = Parameter.renamed[name] else { return nil }
        return "'\(name)' is now called '\(parameter)'"
    }

    /// Returns the message that requests a command.
    static func message(for command: SessionCommand) -> OSCMessage {
        if case .set(let change) = command {
            return OSCMessage(
                prefix + StateAddress(of: change).text, CommandValue.values(of: change.value).map(OSCArgument.init))
        }
        guard let (address, values) = Command.written(command) else { return OSCMessage(prefix) }
        return OSCMessage(prefix + address, values.map(OSCArgument.init))
    }

    /// Returns the message for an event, for all watching clients.
    static func message(for event: SessionEvent) -> OSCMessage {
        OSCMessage(prefix + "event", [.string(event.kind), .string(event.json)])
    }

    /// Returns the reply to a message at `address`.
    static func message(for reply: SessionReply, to address: String) -> OSCMessage {
        let isRefused = if case .refused = reply { true } else { false }
        return OSCMessage(isRefused ? refusal : Self.reply, [.string(address), .string(text(of: reply, to: address))])
    }

    /// Returns the text of the reply to a message at `address`: a message, JSON data, or the reason of a refusal.
    static func text(of reply: SessionReply, to address: String) -> String {
        switch reply {
        case .done: hint(for: address).map { "done; \($0)" } ?? "done"
        case .told(let text), .refused(let text): text
        case .started(let frame, let heardAt): "{\"frame\":\(frame),\"heardAt\":\(heardAt)}"
        case .status(let status): status.jsonText()
        case .phase(let phase): phase.jsonText()
        case .picture(let picture): picture.jsonText()
        case .state(let values): JSONValue.object(values.mapValues { JSONValue($0) }).line
        case .recording(let recording): recording.jsonText()
        case .plugins(let plugins): plugins.jsonText()
        case .knownPlugins(let plugins): plugins.jsonText()
        case .plugin(let plugin): plugin.jsonText()
        case .loudness(let loudness): loudness.jsonText()
        }
    }
}

extension CommandValue {
    /// Converts an OSC argument to a command value.
    init(_ argument: OSCArgument) {
        self =
            switch argument {
            case .int32(let number): .whole(number)
            case .int64(let number): .long(number)
            case .float(let number): .single(number)
            case .double(let number): .number(number)
            case .string(let text): .text(text)
            case .boolean(let truth): .truth(truth)
            case .blob, .timeTag, .null: .other
            }
    }
}

extension OSCMessage {
    /// First argument as text; nil if there is none or it is not a text.
    var text: String? { if case .string(let text)? = arguments.first { text } else { nil } }
}

extension OSCArgument {
    /// Written form of a number, word or Boolean; nil for other arguments.
    var written: String? { CommandValue(self).written }

    /// Converts a command value to an OSC argument.
    init(_ value: CommandValue) {
        self =
            switch value {
            case .whole(let number): .int32(number)
            case .long(let number): .int64(number)
            case .single(let number): .float(number)
            case .number(let number): .double(number)
            case .text(let text): .string(text)
            case .truth(let truth): .boolean(truth)
            case .other: .null
            }
    }
}
