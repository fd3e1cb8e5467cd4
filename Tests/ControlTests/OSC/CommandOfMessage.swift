import Desk
import OSC

@testable import Control

extension ControlMessages {
    /// Returns the session command of a message; a failure for requests to the door itself, and for empty requests.
    static func command(from message: OSCMessage) -> Result<SessionCommand, ControlWire.Unusable> {
        ControlRequest.read(message).flatMap { request in
            if case .command(let command) = request { return .success(command) }
            return .failure(ControlWire.Unusable(reason: "it asks for nothing of the session"))
        }
    }
}
