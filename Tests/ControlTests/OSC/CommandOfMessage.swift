import Desk
import OSC

@testable import Control

extension ControlMessages {
    /// The command that a message asks for; a failure where it asks for something of a door, or for nothing.
    static func command(from message: OSCMessage) -> Result<SessionCommand, ControlWire.Unusable> {
        ControlRequest.read(message).flatMap { request in
            if case .command(let command) = request { return .success(command) }
            return .failure(ControlWire.Unusable(reason: "it asks for nothing of the session"))
        }
    }
}
