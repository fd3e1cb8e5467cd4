import Signal

/// Errors between the program and the JACK server, worded for the user at the terminal.
package enum JACKError: Error, Equatable, CustomStringConvertible {
    /// No server answers. `detail` is libjack's message, which may be empty.
    case noServer(detail: String)
    /// PipeWire runs, but the program was started with jackd's libjack.
    case libjackIsNotPipeWires(socket: String)
    /// The name is in use, and exactly that name was required.
    case nameTaken(String)
    /// The name is empty, too long for JACK or has a colon.
    case invalidName(String, limit: Int)
    /// Client and server have incompatible versions.
    case versionMismatch
    /// The server refuses the client. `status` is JACK's code, which is shown in hexadecimal.
    case refused(status: UInt32, detail: String)
    /// The server has no port left. The payload has the numbers of registered and of wanted ports.
    case noMorePorts(registered: Int, wanted: Int)
    /// The server does not run at the required sample rate.
    case wrongSampleRate(server: Double, wanted: Double)
    /// The server's sample rate is outside the supported range.
    case unsupportedSampleRate(Double)
    /// A callback or the activation was refused, or the client was already active or closed.
    case notActivated(step: String, detail: String)
    /// The system provides no thread for the client.
    case noThread(WorkerError)
    /// The client is closed or the server is gone.
    case serverGone
    /// No port matches the pattern, or too few do. `available` lists the inputs (or outputs) of other clients.
    case noSuchPort(pattern: String, takesSound: Bool, available: [String])
    /// No MIDI port's name contains the pattern. `available` lists the sending ports.
    case noSuchMIDIPort(pattern: String, available: [String])
    /// A connection was refused.
    case notConnected(from: String, to: String, code: Int32)
    /// The requested frame had already passed when a cycle handled the request.
    case startMissed(asked: UInt32, now: UInt32)
    /// No cycle handled the start request in time.
    case startTimedOut
    /// A later start request replaced this one.
    case startReplaced

    /// Cause of the error, and in many cases a remedy.
    package var description: String {
        switch self {
        case .noServer(let detail):
            "no JACK server is running. Start one (for example: jackd -d alsa, or qjackctl), or on a PipeWire machine "
                + "run this program by pw-jack" + (detail.isEmpty ? "" : " (\(detail))")
        case .libjackIsNotPipeWires(let socket):
            "this machine runs PipeWire (\(socket)), but the program was started with jackd's libjack. "
                + "Run it as: pw-jack proscenium …, or make PipeWire's the system's libjack (Debian: install "
                + "pipewire-jack and copy /usr/share/doc/pipewire/examples/ld.so.conf.d/pipewire-jack-*.conf to "
                + "/etc/ld.so.conf.d, then run ldconfig)"
        case .nameTaken(let name): "a JACK client named '\(name)' is already there; choose another with --name"
        case .invalidName(let name, let limit):
            "'\(name)' cannot be a JACK client's name: 1 to \(limit) bytes, no colon"
        case .versionMismatch: "the JACK server and this program's libjack have incompatible versions"
        case .refused(let status, let detail):
            "the JACK server refused the client (status 0x\(String(status, radix: 16)))"
                + (detail.isEmpty ? "" : ": \(detail)")
        case .noMorePorts(let registered, let wanted):
            "the JACK server has no ports left: \(registered) of \(wanted) could be registered. "
                + "Close other clients, or start jackd with more (jackd -p 2048 …)"
        case .wrongSampleRate(let server, let wanted):
            "the JACK server runs at \(Int(server)) Hz, not at \(Int(wanted)) Hz: restart it with -r \(Int(wanted)), "
                + "or leave the rate out"
        case .unsupportedSampleRate(let rate): "the JACK server runs at \(rate) Hz; 8000…768000 Hz can be rendered"
        case .notActivated(let step, let detail):
            "JACK: cannot \(step)" + (detail.isEmpty ? "" : ": \(detail)")
        case .noThread(let error): error.description
        case .serverGone: "the JACK server is gone"
        case .noSuchPort(let pattern, let takesSound, let available):
            "no JACK port matches '\(pattern)'; there are: "
                + (available.isEmpty
                    ? "no \(takesSound ? "input" : "output") ports" : available.joined(separator: ", "))
                + Self.separation(of: pattern)
        case .noSuchMIDIPort(let pattern, let available):
            "no MIDI port's name contains '\(pattern)'; "
                + (available.isEmpty
                    ? "no MIDI port sends (for ALSA's, run `a2jmidid -e` or start jackd with -X seq)"
                    : "those that send are \(available.joined(separator: ", "))")
        case .notConnected(let from, let to, let code): "JACK refused to connect \(from) to \(to) (\(code))"
        case .startMissed(let asked, let now):
            "frame \(asked) had passed when the start was requested (the clock was at \(now)); request a later frame"
        case .startTimedOut: "JACK did not run the cycle of the requested start"
        case .startReplaced: "another start was requested before this one took place"
        }
    }

    /// Returns the hint that a list of ports separated by spaces needs; empty for other patterns.
    private static func separation(of pattern: String) -> String {
        let parts = pattern.split(separator: " ")
        guard parts.count > 1, !pattern.contains(",") else { return "" }
        return "; ports of a list are separated by commas: '\(parts.joined(separator: ","))'"
    }
}
