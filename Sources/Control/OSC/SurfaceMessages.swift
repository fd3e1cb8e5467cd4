import OSC
import Session

/// The wire format of what can be asked of a control surface.
///
/// | address | arguments | does |
/// |---|---|---|
/// | `/proscenium/surface/learn` | `s` address | binds the next control that is moved to an address |
/// | `/proscenium/surface/cancel` | none or a button | binds none of those that wait |
enum SurfaceMessages {
    /// The commands there are.
    static let commands = [
        ControlWord(
            "surface/learn", "s", "an address, as input/main/level or recentre",
            "binds the next control that is moved to an address"),
        ControlWord("surface/cancel", "binds none of the addresses that wait for a control"),
    ]
    private static let root = ControlWire.prefix + "surface/"

    /// The command a message asks for; nil where its address says nothing about surfaces.
    static func command(from message: OSCMessage) -> Result<SessionCommand, ControlWire.Unusable>? {
        switch message.address {
        case root + "learn":
            guard message.arguments.count == 1, case .string(let said) = message.arguments[0], !said.isEmpty else {
                return .failure(ControlWord.unusable(message.address))
            }
            let isWhole = said.hasPrefix(ControlWire.prefix)
            return .success(.surface(.learn(isWhole ? String(said.dropFirst(ControlWire.prefix.count)) : said)))
        case root + "cancel": return .success(.surface(.cancel))
        default: return nil
        }
    }

    /// The message that asks for a command.
    static func message(for command: SurfaceCommand) -> OSCMessage {
        switch command {
        case .learn(let address): OSCMessage(root + "learn", [.string(address)])
        case .cancel: OSCMessage(root + "cancel")
        }
    }
}
