import OSC
import Session

/// The wire format of what can be asked of the files that a preview plays.
///
/// | address | arguments | does |
/// |---|---|---|
/// | `/proscenium/seek` | `f` seconds | goes there in the file |
/// | `/proscenium/seek-by` | `f` seconds, back where negative | moves within the file |
/// | `/proscenium/pause` | none, or `s` `on`, `off` or `toggle`, or 1, 0, `T` or `F` | pauses or goes on |
/// | `/proscenium/skip` | none or a button, or files as a number, back where negative | goes to the next file, or another |
/// | `/proscenium/loop` | as `pause` | repeats the list, or not |
/// | `/proscenium/gain-by` | `f` dB | changes the player's gain |
enum PreviewMessages {
    /// The commands there are.
    static let commands = [
        ControlWord(
            "seek", "f", "a number of seconds from the beginning",
            "goes to so many seconds in the file that a preview plays"),
        ControlWord(
            "seek-by", "f", "a number of seconds, back where negative",
            "moves by so many seconds within the file, back where negative"),
        ControlWord("pause", .state, "pauses what a preview plays, or goes on; or `on`, `off`"),
        ControlWord(
            "skip", .perhaps("a number of files, back where negative"),
            "goes to a preview's next file; or so many further, back where negative"),
        ControlWord("loop", .state, "has a preview repeat its list, or not; or `on`, `off`"),
        ControlWord("gain-by", "f", "a number of dB, -80 to 80", "changes a player's gain by so many dB"),
    ]
    private static let prefix = ControlWire.prefix

    /// The command a message asks for; nil where its address says nothing about files.
    static func command(from message: OSCMessage) -> Result<SessionCommand, ControlWire.Unusable>? {
        func wish(_ command: PlayerCommand?) -> Result<SessionCommand, ControlWire.Unusable> {
            command.map { .success(.preview($0)) } ?? .failure(ControlWord.unusable(message.address))
        }
        var seconds: Double? {
            guard let numbers = message.numbers, numbers.count == 1, PlayerCommand.seconds.contains(numbers[0]) else {
                return nil
            }
            return numbers[0]
        }
        switch message.address {
        case prefix + "seek":
            return wish(seconds.flatMap { $0 >= 0 ? .go(to: $0) : nil })
        case prefix + "seek-by": return wish(seconds.map { .seek(by: $0) })
        case prefix + "pause": return message.state.map { .preview(.pause($0)) }
        case prefix + "loop": return message.state.map { .preview(.loop($0)) }
        case prefix + "gain-by":
            guard let numbers = message.numbers, numbers.count == 1, PlayerCommand.gains.contains(numbers[0]) else {
                return wish(nil)
            }
            return wish(.gain(by: numbers[0]))
        case prefix + "skip":
            guard let argument = message.arguments.first else { return wish(.skip(1)) }
            let count = message.arguments.count == 1 ? argument.number.flatMap(Int32.init(exactly:)) : nil
            return wish(count.flatMap { $0 == 0 ? nil : .skip(Int($0)) })
        default: return nil
        }
    }

    /// The message that asks for a command.
    static func message(for command: PlayerCommand) -> OSCMessage {
        switch command {
        case .go(to: let seconds): OSCMessage(prefix + "seek", [.double(seconds)])
        case .seek(by: let seconds): OSCMessage(prefix + "seek-by", [.double(seconds)])
        case .pause(let isHeld): OSCMessage(prefix + "pause", word(isHeld))
        case .skip(let count): OSCMessage(prefix + "skip", [.int32(Int32(clamping: count))])
        case .loop(let repeats): OSCMessage(prefix + "loop", word(repeats))
        case .gain(let change): OSCMessage(prefix + "gain-by", [.double(change)])
        }
    }

    private static func word(_ isOn: Bool?) -> [OSCArgument] { isOn.map { [.string($0 ? "on" : "off")] } ?? [] }
}
