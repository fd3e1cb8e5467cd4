import Desk
import OSC

/// Request in a message to a door.
enum ControlRequest: Equatable {
    /// A command of the session.
    case command(SessionCommand)
    /// A request to the door itself: the message to read.
    case ofDoor(OSCMessage)
    /// Release of a button: nothing to do. It is answered with done.
    case nothing

    /// Returns the request in a message, or the reason why it has none.
    static func read(_ message: OSCMessage) -> Result<ControlRequest, ControlWire.Unusable> {
        guard message.address.hasPrefix(ControlWire.prefix),
            let reading = Command.read(ControlWire.name(of: message.address), message.arguments.map(CommandValue.init))
        else { return ControlMessages.parameter(from: message).map { .command($0) } }
        return switch reading {
        case .command(let command): .success(.command(command))
        case .door(let values): .success(.ofDoor(OSCMessage(message.address, values.isEmpty ? [] : message.arguments)))
        case .nothing: .success(.nothing)
        case .refused(let reason): .failure(ControlWire.Unusable(reason: reason))
        }
    }
}
