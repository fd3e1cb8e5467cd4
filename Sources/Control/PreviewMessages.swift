import OSC
import Session

/// The wire format of what can be asked of the files that a preview plays.
///
/// | address | arguments | does |
/// |---|---|---|
/// | `/proscenium/seek` | `f` seconds | goes there in the file |
/// | `/proscenium/seek-by` | `f` seconds, back where negative | moves within the file |
/// | `/proscenium/pause` | none, or `s` `on` or `off`, or `i` 1 or 0 | pauses or goes on |
/// | `/proscenium/skip` | none, or `i` files, back where negative | goes to the next file, or another |
enum PreviewMessages {
    /// The words there are, for complaints.
    static let words = ["seek", "seek-by", "pause", "skip"]
    private static let prefix = ControlWire.prefix

    /// The command a message asks for; nil where its address says nothing about files.
    static func command(from message: OSCMessage) -> Result<SessionCommand, ControlWire.Unusable>? {
        func wish(_ command: PlayerCommand?, _ reason: String) -> Result<SessionCommand, ControlWire.Unusable> {
            command.map { .success(.preview($0)) } ?? .failure(ControlWire.Unusable(reason: reason))
        }
        var seconds: Double? {
            guard let numbers = message.numbers, numbers.count == 1, PlayerCommand.seconds.contains(numbers[0]) else {
                return nil
            }
            return numbers[0]
        }
        switch message.address {
        case prefix + "seek":
            return wish(
                seconds.flatMap { $0 >= 0 ? .go(to: $0) : nil }, "seek takes a number of seconds from the beginning")
        case prefix + "seek-by": return wish(seconds.map { .seek(by: $0) }, "seek-by takes a number of seconds")
        case prefix + "pause":
            switch message.arguments.first {
            case nil: return wish(.pause(nil), "")
            case .string("on"), .int32(1): return wish(.pause(true), "")
            case .string("off"), .int32(0): return wish(.pause(false), "")
            default: return wish(nil, "pause takes nothing, 'on' or 'off'")
            }
        case prefix + "skip":
            switch message.arguments.first {
            case nil: return wish(.skip(1), "")
            case .int32(let count) where count != 0: return wish(.skip(Int(count)), "")
            default: return wish(nil, "skip takes nothing, or a number of files, back where negative")
            }
        default: return nil
        }
    }

    /// The message that asks for a command.
    static func message(for command: PlayerCommand) -> OSCMessage {
        switch command {
        case .go(to: let seconds): OSCMessage(prefix + "seek", [.double(seconds)])
        case .seek(by: let seconds): OSCMessage(prefix + "seek-by", [.double(seconds)])
        case .pause(let isHeld):
            OSCMessage(prefix + "pause", isHeld.map { [.string($0 ? "on" : "off")] } ?? [])
        case .skip(let count): OSCMessage(prefix + "skip", [.int32(Int32(clamping: count))])
        }
    }
}
