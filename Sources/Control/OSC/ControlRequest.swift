import Desk
import OSC

/// Request in a message to a control interface.
enum ControlRequest: Equatable {
    /// A command of the table, or a parameter change.
    case command(SessionCommand)
    /// A request to the control interface itself, with its message. The argument of a pressed button is removed.
    case ofDoor(DoorCommand, OSCMessage)
    /// Release of a button, which has no effect. The reply is done.
    case nothing

    /// Returns the request in a message to one of these programs, or the reason why the message contains none.
    static func read(
        _ message: OSCMessage, of programs: CommandPrograms = .desk
    ) -> Result<ControlRequest, ControlWire.Unusable> {
        guard message.address.hasPrefix(ControlWire.prefix),
            let reading = Command.read(
                ControlWire.name(of: message.address), message.arguments.map(CommandValue.init), of: programs)
        else {
            // Only a session has parameters.
            guard programs.contains(.session) else { return .failure(CaptureMessages.unknown) }
            return ControlMessages.parameter(from: message).map { .command($0) }
        }
        return switch reading {
        case .command(let command): .success(.command(command))
        case .door(let command, let values):
            .success(.ofDoor(command, OSCMessage(message.address, values.isEmpty ? [] : message.arguments)))
        case .nothing: .success(.nothing)
        case .refused(let reason): .failure(ControlWire.Unusable(reason: reason))
        }
    }
}
