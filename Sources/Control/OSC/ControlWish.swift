import OSC
import Session

/// What a message to a door asks for.
enum ControlWish: Equatable {
    /// Something of the session.
    case command(SessionCommand)
    /// Something of the door itself, by one of `ofDoors`: the message as it is to be read.
    case ofDoor(OSCMessage)
    /// Nothing: a button was let go. It is answered as done.
    case nothing

    /// The words that each door answers itself.
    static let ofDoors = Set(["watch", "subscribe", "unsubscribe", "token"].map { ControlWire.prefix + $0 })

    /// What a message asks for; a failure says why it is nothing.
    static func read(_ message: OSCMessage) -> Result<ControlWish, ControlWire.Unusable> {
        let asked: OSCMessage
        switch message.pressed {
        case .failure(let unusable): return .failure(unusable)
        case .success(nil): return .success(.nothing)
        case .success(let pressed?): asked = pressed
        }
        if ofDoors.contains(asked.address) { return .success(.ofDoor(asked)) }
        return ControlMessages.command(from: asked).map { .command($0) }
    }
}

extension OSCMessage {
    /// This message as its command reads it, where a button may have sent it. Buttons of TouchOSC, Open Stage Control
    /// and their like send 1 when they are pressed and 0 when they are let go, some of them T and F. A command that
    /// takes nothing, or may go without, is done by 1 as without an argument; by 0 nothing is done (nil). What else is
    /// said to a command that takes nothing is a failure.
    var pressed: Result<OSCMessage?, ControlWire.Unusable> {
        guard !arguments.isEmpty, let takes = ControlWord.at(address)?.takes else { return .success(self) }
        let isDown = arguments.count == 1 ? arguments[0].isDown : nil
        switch (takes, isDown) {
        case (.nothing, true?), (.perhaps, true?): return .success(OSCMessage(address))
        case (.nothing, false?), (.perhaps, false?): return .success(nil)
        case (.nothing, nil): return .failure(ControlWord.unusable(address))
        case (.perhaps, nil), (.state, _), (.these, _): return .success(self)
        }
    }

    /// On, off, or (nil) the other of the two, as a command reads it that takes a state; a failure where it says none
    /// of them.
    var state: Result<Bool?, ControlWire.Unusable> {
        switch (arguments.count, arguments.first?.isDown, arguments.first) {
        case (0, _, _), (1, _, .string("toggle")): .success(nil)
        case (1, let isDown?, _): .success(isDown)
        case (1, _, .string("on")), (1, _, .string("1")), (1, _, .string("true")): .success(true)
        case (1, _, .string("off")), (1, _, .string("0")), (1, _, .string("false")): .success(false)
        default: .failure(ControlWord.unusable(address))
        }
    }
}

extension OSCArgument {
    /// Whether a button that sent this is down: 1 or T; up: 0 or F. nil: no button sends this.
    var isDown: Bool? {
        if case .boolean(let isDown) = self { return isDown }
        return switch number {
        case 1: true
        case 0: false
        default: nil
        }
    }
}
