import CJACK
import Glibc

/// Why a client could not be opened, found out from what libjack says and what the machine runs.
enum JACKDiagnosis {
    /// Whether the libjack in this process is PipeWire's.
    static var isPipeWire: Bool {
        guard let version = jack_get_version_string() else { return false }
        return String(cString: version).contains("PipeWire")
    }

    /// The socket of a running PipeWire of this user, if there is one.
    static var pipeWireSocket: String? {
        var folders: [String] = []
        for variable in ["PIPEWIRE_RUNTIME_DIR", "XDG_RUNTIME_DIR"] {
            if let value = getenv(variable) { folders.append(String(cString: value)) }
        }
        folders.append("/run/user/\(getuid())")
        return folders.map { $0 + "/pipewire-0" }.first { path in
            var status = stat()
            return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
        }
    }

    /// The error behind a status that came without a client.
    ///
    /// jackd 1.9.21 answers a taken exact name with failure and server error alone (0x21); a missing server is 0x11.
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
