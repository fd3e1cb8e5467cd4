import OSC
import Session

/// What a message to a door asks for.
enum ControlWish: Equatable {
    /// Something of the session.
    case command(SessionCommand)
    /// Something of the door itself: the message as it is to be read.
    case ofDoor(OSCMessage)
    /// Nothing: a button was let go. It is answered as done.
    case nothing

    /// What a message asks for; a failure says why it is nothing.
    static func read(_ message: OSCMessage) -> Result<ControlWish, ControlWire.Unusable> {
        ControlMessages.wish(message)
    }
}
