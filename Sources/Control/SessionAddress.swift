import Loading

/// Address of a running session.
package enum SessionAddress: Sendable, CustomStringConvertible {
    /// Unix socket, by the session's name.
    case named(String)
    /// OSC over UDP.
    case osc(ControlAddress)

    /// Returns the address of the only running session; the default port if no session of this user has a socket.
    ///
    /// - Throws: an error if several sessions are running.
    package static func only() throws(SessionError) -> SessionAddress {
        let running = SessionSockets.running()
        guard running.count <= 1 else {
            throw SessionError(
                .usage, "\(running.count) sessions run: \(running.joined(separator: ", ")); choose one with --to NAME")
        }
        return running.first.map { .named($0) } ?? .osc(ControlAddress(port: ControlAddress.defaultPort))
    }

    /// Address as in error messages.
    package var description: String {
        switch self {
        case .named(let name): "'\(name)'"
        case .osc(let address): "\(address)"
        }
    }
}
