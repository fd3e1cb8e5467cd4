/// The door that a path came by, which decides what it may reach. What is typed on the command line of the program that
/// writes passes no door.
package enum PathOrigin: Sendable, Hashable {
    /// The session's Unix socket, which only its user can open: any place by an absolute path, and nothing is replaced.
    case socket
    /// OSC, HTTP, WebSocket, MIDI or a session manager: the folders the session may write to.
    case network
}
