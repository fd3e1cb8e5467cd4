import Foundation
import HeadTracking
import OSC
import Session

/// The wire format of control: OSC messages to session commands, replies to OSC messages.
///
/// `/proscenium/NAME` sets a parameter of the table (`Parameter.all`), of all inputs where it is one of inputs;
/// `/proscenium/input/INPUT/NAME` sets it of one. `/proscenium/loudspeaker/FL/mute` sets `loudspeaker-mute` of one
/// loudspeaker. Beside those, where "a button" is 1 or `T` (it is pressed), or 0 or `F` (it is let go, and nothing is
/// done; see `OSCMessage.pressed`):
///
/// | address | arguments | does |
/// |---|---|---|
/// | `/proscenium/recentre` | none or a button, or `s` `yaw`, `full` or `reset` | makes where the head points now the front |
/// | `/proscenium/recentre/yaw`, `/full`, `/reset` | none or a button | the same, for what sends an address alone |
/// | `/proscenium/resume`, `/proscenium/interrupt/...` | see `PlaybackMessages` | playback as a whole |
/// | `/proscenium/record`, `/proscenium/record/...` | see `RecordMessages` | recording of the ears |
/// | `/proscenium/calibrate/...` | see `CalibrationMessages` | how a tracker sits |
/// | `/proscenium/surface/...` | see `SurfaceMessages` | what a control surface learns |
/// | `/proscenium/plugin/...` | see `PluginMessages` | plugins in the chains |
/// | `/proscenium/seek`, `/proscenium/pause`, ... | see `PreviewMessages` | moves within the files of a preview |
/// | `/proscenium/start` | none or a button, or `i`, `h` or `s` JACK frame | sets stream time 0 |
/// | `/proscenium/loudness` | none or a button, or `s` `reset` | answers with the loudness meters as JSON, or begins them anew |
/// | `/proscenium/loudness/reset` | none or a button | begins them anew |
/// | `/proscenium/status` | none or a button | answers with the state as JSON |
/// | `/proscenium/picture` | none or a button | answers with what the stage looks like and what can be chosen, as JSON |
/// | `/proscenium/watch` | `f` times per second, 0.05…100 | sends the state to the sender, 30 s long; 0 ends it |
/// | `/proscenium/subscribe` | `s`... | see `OSCEntrance` |
/// | `/proscenium/undo`, `/proscenium/redo` | none or a button | undoes the newest change; does again what was undone |
/// | `/proscenium/quit` | none or a button | ends the session |
///
/// Every message is answered to its sender: `/proscenium/reply` with the address and, as text, the answer (JSON for
/// status and start); `/proscenium/refused` with the address and the reason.
enum ControlMessages {
    private static let prefix = ControlWire.prefix
    static let watch = "/proscenium/watch"
    static let reply = "/proscenium/reply"
    static let refusal = "/proscenium/refused"

    /// The command a message asks for.
    static func command(from message: OSCMessage) -> Result<SessionCommand, ControlWire.Unusable> {
        switch message.address {
        case prefix + "recentre":
            if message.arguments.isEmpty { return .success(.recentre(.yaw)) }
            let axes = message.arguments.count == 1 ? message.text.flatMap(HeadTracker.Recentring.init) : nil
            return axes.map { .success(.recentre($0)) } ?? .failure(ControlWord.unusable(message.address))
        // The same for what sends an address alone, as a button or a pad.
        case prefix + "recentre/yaw": return .success(.recentre(.yaw))
        case prefix + "recentre/full": return .success(.recentre(.full))
        case prefix + "recentre/reset": return .success(.recentre(.reset))
        case prefix + "loudness/reset": return .success(.loudness(reset: true))
        case prefix + "start":
            if message.arguments.isEmpty { return .success(.start(frame: nil)) }
            return frame(message.arguments).map { .success(.start(frame: $0)) }
                ?? .failure(ControlWord.unusable(message.address))
        case prefix + "loudness":
            switch message.arguments {
            case []: return .success(.loudness(reset: false))
            case [.string("reset")]: return .success(.loudness(reset: true))
            default: return .failure(ControlWord.unusable(message.address))
            }
        case prefix + "undo": return .success(.history(.undo))
        case prefix + "redo": return .success(.history(.redo))
        case prefix + "status": return .success(.status)
        case prefix + "picture": return .success(.picture)
        case prefix + "quit": return .success(.quit)
        default:
            if let command = PlaybackMessages.command(from: message) { return command }
            if let command = RecordMessages.command(from: message) { return command }
            if let command = CalibrationMessages.command(from: message) { return command }
            if let command = SurfaceMessages.command(from: message) { return command }
            if let command = PluginMessages.command(from: message) { return command }
            if let command = PreviewMessages.command(from: message) { return command }
            return parameter(from: message)
        }
    }

    /// A frame of JACK's clock, which counts in 32 bits: as `i` those of the upper half are negative. JSON has all
    /// numbers as `d`. As a text it may be 0 or 1, which as numbers are a button's.
    private static func frame(_ arguments: [OSCArgument]) -> UInt32? {
        guard arguments.count == 1 else { return nil }
        switch arguments[0] {
        case .int32(let frame): return UInt32(bitPattern: frame)
        case .int64(let frame): return UInt32(exactly: frame)
        case .double(let frame):
            return Int32(exactly: frame).map { UInt32(bitPattern: $0) } ?? UInt32(exactly: frame)
        case .string(let frame): return UInt32(frame)
        default: return nil
        }
    }

    /// The change of a parameter that a message asks for.
    private static func parameter(from message: OSCMessage) -> Result<SessionCommand, ControlWire.Unusable> {
        let parts = message.address.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let (name, input): (String, String?)
        switch parts.count {
        case 3 where parts[0].isEmpty && parts[1] == "proscenium": (name, input) = (parts[2], nil)
        case 5 where parts[0].isEmpty && parts[1] == "proscenium" && parts[2] == "input" && !parts[3].isEmpty:
            (name, input) = (parts[4], parts[3])
        case 5 where parts[0].isEmpty && parts[1] == "proscenium" && parts[2] == "loudspeaker" && !parts[3].isEmpty:
            (name, input) = (Parameter.ofLoudspeaker(parts[4])?.id ?? "", parts[3])
        default: (name, input) = ("", nil)
        }
        guard let parameter = Parameter.named(name) else {
            let known =
                (ControlWord.all.map(\.word) + Parameter.all.map(\.id) + ["input/NAME/level", "loudspeaker/NAME/mute"])
                .map { prefix + $0 }
            return .failure(
                ControlWire.Unusable(reason: "unknown address; known are " + known.joined(separator: ", ")))
        }
        var written: [String] = []
        for argument in message.arguments {
            guard let text = argument.written else {
                return .failure(ControlWire.Unusable(reason: "\(parameter.id) takes \(parameter.takes)"))
            }
            written.append(text)
        }
        do throws(ParameterError) {
            return .success(.set(try ParameterChange(name, written, input: input)))
        } catch {
            return .failure(ControlWire.Unusable(reason: error.description))
        }
    }

    /// The hint for whoever used a former name of a parameter; nil for present names.
    static func hint(for address: String) -> String? {
        guard let slash = address.lastIndex(of: "/") else { return nil }
        let name = String(address[address.index(after: slash)...])
        guard let parameter = Parameter.renamed[name] else { return nil }
        return "'\(name)' is now called '\(parameter)'"
    }

    /// Times per second for `/proscenium/watch`, 0 for an end; `nil` where the arguments are none.
    static func watchRate(in message: OSCMessage) -> Double? {
        guard let numbers = message.numbers, numbers.count == 1, numbers[0] == 0 || Watchers.rates.contains(numbers[0])
        else { return nil }
        return numbers[0]
    }

    /// The message that asks for a command.
    static func message(for command: SessionCommand) -> OSCMessage {
        switch command {
        case .recentre(let axes): OSCMessage(prefix + "recentre", [.string(axes.rawValue)])
        case .set(let change):
            OSCMessage(prefix + path(of: change), arguments(of: change.value))
        case .playback(let command): PlaybackMessages.message(for: command)
        case .record(let command): RecordMessages.message(for: command)
        case .calibration(let command): CalibrationMessages.message(for: command)
        case .surface(let command): SurfaceMessages.message(for: command)
        case .plugin(let command): PluginMessages.message(for: command)
        case .preview(let command): PreviewMessages.message(for: command)
        case .start(let frame):
            OSCMessage(
                prefix + "start", frame.map { [$0 < 2 ? .string(String($0)) : .int32(Int32(bitPattern: $0))] } ?? [])
        case .loudness(let reset): OSCMessage(prefix + "loudness", reset ? [.string("reset")] : [])
        case .history(let wish): OSCMessage(prefix + wish.rawValue)
        case .status: OSCMessage(prefix + "status")
        case .picture: OSCMessage(prefix + "picture")
        case .quit: OSCMessage(prefix + "quit")
        }
    }

    /// What stands behind the prefix in the address of a change.
    private static func path(of change: ParameterChange) -> String {
        guard let name = change.input else { return change.parameter.id }
        return change.parameter.isOfLoudspeakers
            ? "loudspeaker/\(name)/\(change.parameter.loudspeakerWord)" : "input/\(name)/\(change.parameter.id)"
    }

    private static func arguments(of value: ParameterValue) -> [OSCArgument] {
        switch value {
        case .numbers(let numbers): numbers.map { .double($0) }
        case .word(let word): [.string(word)]
        }
    }

    /// The answer to `address`.
    static func message(for reply: SessionReply, to address: String) -> OSCMessage {
        switch reply {
        case .done:
            OSCMessage(Self.reply, [.string(address), .string(hint(for: address).map { "done; \($0)" } ?? "done")])
        case .told(let words): OSCMessage(Self.reply, [.string(address), .string(words)])
        case .started(let frame, let heardAt):
            OSCMessage(Self.reply, [.string(address), .string("{\"frame\":\(frame),\"heardAt\":\(heardAt)}")])
        case .status(let status):
            OSCMessage(Self.reply, [.string(address), .string(json(status))])
        case .phase(let phase):
            OSCMessage(Self.reply, [.string(address), .string(json(phase))])
        case .picture(let picture):
            OSCMessage(Self.reply, [.string(address), .string(json(picture))])
        case .recording(let recording):
            OSCMessage(Self.reply, [.string(address), .string(json(recording))])
        case .plugins(let plugins):
            OSCMessage(Self.reply, [.string(address), .string(json(plugins))])
        case .knownPlugins(let plugins):
            OSCMessage(Self.reply, [.string(address), .string(json(plugins))])
        case .plugin(let plugin):
            OSCMessage(Self.reply, [.string(address), .string(json(plugin))])
        case .loudness(let loudness):
            OSCMessage(Self.reply, [.string(address), .string(json(loudness))])
        case .refused(let reason): OSCMessage(Self.refusal, [.string(address), .string(reason)])
        }
    }

    /// The state as one line of JSON.
    static func json(_ status: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        // Encoding a value of numbers and texts cannot fail; an empty object would be seen at once.
        return (try? encoder.encode(status)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}

extension OSCMessage {
    /// The first argument where it is a text; nil where it is none, or there is none.
    var text: String? { if case .string(let text)? = arguments.first { text } else { nil } }
}

extension OSCArgument {
    /// A number, a word or a truth value as it would be written; nil for what is neither.
    var written: String? {
        switch self {
        case .string(let text): text
        case .boolean(let value): value ? "true" : "false"
        case .int32, .int64, .float, .double: number.map { Int(exactly: $0).map(String.init) ?? String($0) }
        case .blob, .timeTag, .null: nil
        }
    }
}
