/// Interface through which a path arrived, which limits the places it may reach. A path on the command line of the
/// writing program itself is not limited.
package enum PathOrigin: Sendable, Hashable {
    /// The session's Unix socket, which only its user can open: any absolute path; existing files are not replaced.
    case socket
    /// OSC, HTTP, WebSocket, MIDI or a session manager: only the folders that the session may write to.
    case network
}
