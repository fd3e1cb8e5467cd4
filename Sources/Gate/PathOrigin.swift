/// Where a path was said, which decides what it may reach.
package enum PathOrigin: Sendable, Hashable {
    /// The command line, the config file, or the session's own state: any place, as the user's shell would reach it.
    case user
    /// The session's Unix socket, which only its user can open: any place by an absolute path, and nothing is replaced.
    case socket
    /// OSC, HTTP, WebSocket, MIDI or a session manager: the folders the session may write to.
    case network
}
