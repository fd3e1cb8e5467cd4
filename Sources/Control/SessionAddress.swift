import Loading

/// Where a running session is spoken to.
package enum SessionAddress: Sendable, CustomStringConvertible {
    /// Its socket, by its name.
    case named(String)
    /// OSC over UDP.
    case osc(ControlAddress)

    /// The session that is meant where nothing was said: the only one there is, or the one at the usual port.
    ///
    /// - Throws: several run, and none was named.
    package static func only() throws(SessionError) -> SessionAddress {
        let running = SessionSockets.running()
        guard running.count <= 1 else {
            throw SessionError(
                .usage, "\(running.count) sessions run: \(running.joined(separator: ", ")); say which with --to NAME")
        }
        return running.first.map { .named($0) } ?? .osc(ControlAddress(port: ControlAddress.defaultPort))
    }

    /// As it is written in complaints.
    package var description: String {
        switch self {
        case .named(let name): "'\(name)'"
        case .osc(let address): "\(address)"
        }
    }
}
