/// Why a tracker cannot be understood or opened; the description says what to do next.
package enum TrackerError: Error, Equatable, Sendable {
    /// The kind before the colon is not known.
    case unknownTracker(String)
    /// Nothing, or not a number in 1…65535, stands where the port belongs.
    case badPort(String, in: String)
    /// The address is not numeric.
    case badAddress(String)
    /// `file:` without a path.
    case missingPath
    /// An option after the comma is not known or has no legal value.
    case badOption(String)
    /// Another program listens on this address and port.
    case portInUse(address: String, port: Int)
    /// The port is reserved for the system's administrator.
    case portForbidden(address: String, port: Int)
    /// This machine does not have the address.
    case addressNotHere(String)
    /// The system refused to listen, with errno.
    case cannotListen(address: String, port: Int, errno: Int32)
    /// A motion log could not be read.
    case unreadable(path: String, reason: String)
    /// A motion log is at fault.
    case badLog(path: String, OrientationLogError)
}

extension TrackerError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknownTracker(let text):
            "unknown tracker '\(text)'; known are \(TrackerSpecification.forms.joined(separator: ", "))"
        case .badPort(let port, let text):
            "'\(port)' in '\(text)' is not a port; give a number from 1 to 65535, for example osc:9000"
        case .badAddress(let address):
            "'\(address)' is not a numeric address; give for example 127.0.0.1, 0.0.0.0 (all networks) or [::1]"
        case .missingPath: "file: needs a path, for example file:motion.csv"
        case .badOption(let option):
            "unknown tracker option '\(option)'; known are invert=yaw+pitch+roll (any of them) and latency=MILLISECONDS"
        case .portInUse(let address, let port):
            "port \(port) on \(address) is in use; end the other program or choose another port "
                + "(`ss -ulpn 'sport = :\(port)'` shows who holds it)"
        case .portForbidden(let address, let port):
            "port \(port) on \(address) is reserved for the administrator; choose one above 1023"
        case .addressNotHere(let address): "this machine has no address \(address); `ip address` lists those it has"
        case .cannotListen(let address, let port, let errno):
            "cannot listen on \(address) port \(port) (system error \(errno))"
        case .unreadable(let path, let reason): "cannot read \(path): \(reason)"
        case .badLog(let path, let error): "\(path): \(error)"
        }
    }
}
