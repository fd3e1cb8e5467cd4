/// Interface through which a path arrived. It limits the places that the path may name. A path on the command line of
/// the writing program itself is not limited.
package enum PathOrigin: Sendable, Hashable {
    /// The session's Unix socket, which only its user can open. Any absolute path is permitted; existing files are not
    /// replaced.
    case socket
    /// OSC, HTTP, WebSocket, MIDI or a session manager. Only the folders that the session may write to are permitted.
    case network
}
