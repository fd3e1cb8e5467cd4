/// Commands that the control interfaces carry out themselves. The value is the command's address.
package enum DoorCommand: String, Sendable, Equatable, CaseIterable {
    /// Sends the state to the sender periodically.
    case watch
    /// Sends every new value.
    case subscribe
    /// Ends a subscription.
    case unsubscribe
    /// Opens the control interface to a sender on another machine.
    case token
}
