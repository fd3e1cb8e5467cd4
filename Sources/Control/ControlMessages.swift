import Foundation
import OSC
import Session

/// The wire format of control: OSC messages to session commands, replies to OSC messages.
///
/// | address | arguments | does |
/// |---|---|---|
/// | `/proscenium/recentre` | none, or `s` `yaw`, `full` or `reset` | makes where the head points now the front |
/// | `/proscenium/reference` | `s` `device`, `head` or `static` | what the stage stays with |
/// | `/proscenium/follow` | `fff` yaw, pitch, roll, 0…1 | how much of each turn the stage makes up for |
/// | `/proscenium/yaw-pull` | `f` degrees per second, 0…10 | slow pull of yaw to the front |
/// | `/proscenium/room` | `s` `on` or `off`, or `i` 1 or 0 | plays the room, or the stage dry |
/// | `/proscenium/mode` | `s` `off`, `fixed` or `tracked` | how the stage meets the head |
/// | `/proscenium/spatialize` | `s` `none`, `stereo`, `multichannel` or `all` | what is placed on the stage |
/// | `/proscenium/input/NAME/...` | see `ProgrammeMessages` | one input's level, place, mode |
/// | `/proscenium/resume`, `/proscenium/interrupt/...` | see `PlaybackMessages` | playback as a whole |
/// | `/proscenium/seek`, `/proscenium/pause`, ... | see `PreviewMessages` | moves within the files of a preview |
/// | `/proscenium/start` | none, or `i` JACK frame | sets stream time 0 |
/// | `/proscenium/loudness` | none, or `s` `reset` | answers with the loudness meters as JSON, or begins them anew |
/// | `/proscenium/status` | none | answers with the state as JSON |
/// | `/proscenium/watch` | `f` times per second, 0…100 | sends the state to the sender, 30 s long; 0 ends it |
/// | `/proscenium/quit` | none | ends the session |
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
            guard let first = message.arguments.first else { return .success(.recentre(.yaw)) }
            guard case .string(let text) = first, let axes = SessionCommand.Recentring(rawValue: text) else {
                return .failure(ControlWire.Unusable(reason: "recentre takes 'yaw', 'full' or 'reset'"))
            }
            return .success(.recentre(axes))
        case prefix + "reference":
            guard case .string(let text)? = message.arguments.first,
                let reference = SessionCommand.Reference(rawValue: text)
            else { return .failure(ControlWire.Unusable(reason: "reference takes 'device', 'head' or 'static'")) }
            return .success(.reference(reference))
        case prefix + "follow":
            guard let numbers = message.numbers, numbers.count == 3,
                let weights = FollowWeights(yaw: numbers[0], pitch: numbers[1], roll: numbers[2])
            else {
                return .failure(ControlWire.Unusable(reason: "follow takes three numbers 0 to 1: yaw, pitch, roll"))
            }
            return .success(.follow(weights))
        case prefix + "yaw-pull":
            guard let numbers = message.numbers, numbers.count == 1, (0...10).contains(numbers[0]) else {
                return .failure(ControlWire.Unusable(reason: "yaw-pull takes a number of degrees per second, 0 to 10"))
            }
            return .success(.yawPull(numbers[0]))
        case prefix + "room":
            switch message.arguments.first {
            case .string("on"): return .success(.room(true))
            case .string("off"): return .success(.room(false))
            case .int32(let value) where value == 0 || value == 1: return .success(.room(value == 1))
            default: return .failure(ControlWire.Unusable(reason: "room takes 'on' or 'off'"))
            }
        case prefix + "start":
            guard let first = message.arguments.first else { return .success(.start(frame: nil)) }
            switch first {
            case .int32(let frame): return .success(.start(frame: UInt32(bitPattern: frame)))
            case .int64(let frame): return .success(.start(frame: UInt32(truncatingIfNeeded: frame)))
            default: return .failure(ControlWire.Unusable(reason: "start takes a JACK frame as an integer"))
            }
        case prefix + "loudness":
            switch message.arguments.first {
            case nil: return .success(.loudness(reset: false))
            case .string("reset"): return .success(.loudness(reset: true))
            default: return .failure(ControlWire.Unusable(reason: "loudness takes nothing, or 'reset'"))
            }
        case prefix + "status": return .success(.status)
        case prefix + "quit": return .success(.quit)
        default:
            if let command = ProgrammeMessages.command(from: message) { return command }
            if let command = PlaybackMessages.command(from: message) { return command }
            if let command = PreviewMessages.command(from: message) { return command }
            return .failure(
                ControlWire.Unusable(
                    reason: "unknown address; known are "
                        + ([
                            "recentre", "reference", "follow", "yaw-pull", "room", "start", "status", "loudness",
                            "watch", "quit",
                        ] + ProgrammeMessages.words + PlaybackMessages.words + PreviewMessages.words).map {
                            prefix + $0
                        }.joined(
                            separator: ", ")))
        }
    }

    /// Times per second for `/proscenium/watch`; `nil` where the arguments are none.
    static func watchRate(in message: OSCMessage) -> Double? {
        guard let numbers = message.numbers, numbers.count == 1, (0...100).contains(numbers[0]) else { return nil }
        return numbers[0]
    }

    /// The message that asks for a command.
    static func message(for command: SessionCommand) -> OSCMessage {
        switch command {
        case .recentre(let axes): OSCMessage(prefix + "recentre", [.string(axes.rawValue)])
        case .reference(let reference): OSCMessage(prefix + "reference", [.string(reference.rawValue)])
        case .follow(let weights):
            OSCMessage(prefix + "follow", [.double(weights.yaw), .double(weights.pitch), .double(weights.roll)])
        case .yawPull(let rate): OSCMessage(prefix + "yaw-pull", [.double(rate)])
        case .room(let on): OSCMessage(prefix + "room", [.string(on ? "on" : "off")])
        case .programme(let name, let command): ProgrammeMessages.message(for: command, on: name)
        case .playback(let command): PlaybackMessages.message(for: command)
        case .preview(let command): PreviewMessages.message(for: command)
        case .start(let frame):
            OSCMessage(prefix + "start", frame.map { [.int32(Int32(bitPattern: $0))] } ?? [])
        case .loudness(let reset): OSCMessage(prefix + "loudness", reset ? [.string("reset")] : [])
        case .status: OSCMessage(prefix + "status")
        case .quit: OSCMessage(prefix + "quit")
        }
    }

    /// The answer to `address`.
    static func message(for reply: SessionReply, to address: String) -> OSCMessage {
        switch reply {
        case .done: OSCMessage(Self.reply, [.string(address), .string("done")])
        case .started(let frame, let heardAt):
            OSCMessage(Self.reply, [.string(address), .string("{\"frame\":\(frame),\"heardAt\":\(heardAt)}")])
        case .status(let status):
            OSCMessage(Self.reply, [.string(address), .string(json(status))])
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
