import Desk
import OSC

/// What a message to a door asks for.
enum ControlRequest: Equatable {
    /// Something of the session.
    case command(SessionCommand)
    /// Something of the door itself: the message as it is to be read.
    case ofDoor(OSCMessage)
    /// Nothing: a button was let go. It is answered as done.
    case nothing

    /// What a message asks for; a failure says why it is nothing.
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
