/// What happens when the ears' ports are gone: headphones unplugged, a device switched off, a connection undone.
package enum RouteLossPolicy: String, Sendable, CaseIterable, Codable {
    /// Mutes, and waits for the user.
    case mute
    /// Mutes, and goes on without asking when the very ports that went are connected again; ports that vanished are
    /// connected to again when they are back.
    case reconnect
    /// Goes on: whatever is connected next is heard.
    case `continue`
    /// Mutes, and ends the session.
    case quit

    /// Whether the ears are muted at once.
    var mutes: Bool { self != .continue }
}
