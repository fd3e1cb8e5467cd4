/// What happens when the ears' ports are gone: headphones unplugged, a device switched off, a connection undone.
package enum RouteLossPolicy: String, Sendable, CaseIterable, Codable {
    /// Mutes, as somebody may only be patching: goes on without asking when the very ports that went are connected again within
    /// `patching` seconds, and waits for the user after that.
    case patch
    /// Mutes, and waits for the user, whatever is connected.
    case mute
    /// Mutes, and goes on without asking when the very ports that went are connected again; ports that vanished are
    /// connected to again when they are back.
    case reconnect
    /// Goes on: whatever is connected next is heard.
    case `continue`
    /// Mutes, and ends the session.
    case quit

    /// Seconds within which ports that come back were only patched.
    package static let patching = 5.0

    /// Whether the ears are muted at once.
    var mutes: Bool { self != .continue }
}
