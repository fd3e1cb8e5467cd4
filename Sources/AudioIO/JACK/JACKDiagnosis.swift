import CJACK
import Gate
import Glibc

/// Diagnosis of a client that could not be opened, from its status, libjack's messages and the socket of PipeWire.
package enum JACKDiagnosis {
    /// Whether the process uses PipeWire's libjack.
    package static var isPipeWire: Bool {
        guard let version = jack_get_version_string() else { return false }
        return String(cString: version).contains("PipeWire")
    }

    /// Path of the socket of this user's PipeWire, as a sign that PipeWire runs; nil without a socket.
    package static var pipeWireSocket: String? {
        func value(_ variable: String) -> String? { getenv(variable).map { String(cString: $0) } }
        let named = [value("PIPEWIRE_RUNTIME_DIR"), BaseFolder.runtime.named(where: value)].compactMap(\.self)
        return (named + ["/run/user/\(getuid())"]).map { $0 + "/pipewire-0" }.first { path in
            var status = stat()
            return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
        }
    }

    /// Returns the error for the status of a client that could not be opened.
    ///
    /// jackd 1.9.21 returns 0x21 (failure, server error) if the exact name is in use, and 0x11 (failure, server failed)
    /// if no server runs.
    static func error(status: jack_status_t, name: String, exactName: Bool = false, limit: Int) -> JACKError {
        let bits = status.rawValue
        let isServerMissing = bits & JackServerFailed.rawValue != 0
        if exactName, !isServerMissing, bits & JackServerError.rawValue != 0 { return .nameTaken(name) }
        if isServerMissing {
            if !isPipeWire, let socket = pipeWireSocket { return .libjackIsNotPipeWires(socket: socket) }
            return .noServer(detail: JACKMessages.first)
        }
        if bits & JackNameNotUnique.rawValue != 0 { return .nameTaken(name) }
        if bits & JackVersionError.rawValue != 0 { return .versionMismatch }
        if bits & JackInvalidOption.rawValue != 0 { return .invalidName(name, limit: limit) }
        return .refused(status: bits, detail: JACKMessages.last)
    }
}
