/// A tracker as the user specifies it: `osc:9000`, `serial:auto`, `opentrack:0.0.0.0:4242,invert=yaw`,
/// `file:motion.csv`, `none`.
package struct TrackerSpecification: Hashable, Sendable {
    /// Source of a tracker's data.
    package enum Source: Hashable, Sendable {
        /// Datagrams of a format of `TrackerFormat.all`; format `auto`: recognised. Port 0, in tests: any free port.
        case udp(format: String, address: String, port: Int)
        /// A serial line; without a path the first one plugged in, without a speed that of the format.
        case serial(path: String?, format: String, baud: Int?)
        /// A MIDI port of the JACK server whose name contains the pattern.
        case midi(pattern: String, format: String)
        /// A HID device; without a path the first that is a head tracker.
        case hid(path: String?)
        /// A motion log `t,w,x,y,z` (body to world) or a recording of a raw IMU, played once in real time.
        case file(path: String)
        /// No tracker.
        case none
    }

    /// Source of the tracker's data.
    package var source: Source
    /// Angles whose sign the user inverts.
    package var inversion: Inversion = []
    /// Delay of the samples before their arrival (radio, sensor fusion), seconds, default 0. It cannot be measured in
    /// one direction.
    package var latency: Double = 0
    /// Mounting as specified by the user; nil: that of the calibration, else that of the decoder.
    package var mounting: Mounting?
    /// Name in the memory as specified by the user; nil without one.
    package var id: String?
    /// Whether the sender's time stamps are used; otherwise the times are those of arrival.
    package var trustsSender = true

    /// Creates a tracker without options.
    package init(_ source: Source) { self.source = source }

    /// Name for a format to be recognised.
    package static let automatic = "auto"

    /// Format of `udp:` without a format: our own.
    static let ownFormat = "lines"

    /// Default address of a socket: only programs of this machine can reach it.
    package static let defaultAddress = "127.0.0.1"

    /// All forms, as help texts show them.
    package static var forms: [String] {
        let udp = TrackerFormat.all.filter { $0.port != nil && ![ownFormat, automatic].contains($0.name) }
            .map { "\($0.name):[ADDRESS:]PORT" }
        return udp + [
            "udp:[ADDRESS:]PORT", "udp:auto[:[ADDRESS:]PORT]", "serial:PATH[,FORMAT[,BAUD]]", "serial:auto",
            "midi:PATTERN[,FORMAT]", "hid:auto", "hid:PATH", "file:CSV", "none",
        ]
    }

    /// All options, as help texts show them.
    package static let options = [
        "invert=yaw+pitch+roll (any of them)", "latency=MILLISECONDS",
        "mount=\(Mounting.Attitude.allCases.map(\.rawValue).joined(separator: "|")) or mount=YAW/PITCH/ROLL in degrees",
        "id=NAME", "clock=arrival",
    ]

    /// Name in the memory while the tracker has not sent its own: the user's, else the text without options.
    package var fallbackID: String {
        id ?? TrackerSpecification(source).description
    }
}

extension TrackerSpecification: CustomStringConvertible {
    /// Text of the specification as on the command line.
    package var description: String {
        var text: String
        switch source {
        case .udp(Self.ownFormat, let address, let port): text = "udp:\(Self.place(address, port))"
        case .udp(Self.automatic, let address, let port): text = "udp:auto:\(Self.place(address, port))"
        case .udp(let format, let address, let port): text = "\(format):\(Self.place(address, port))"
        case .serial(let path, let format, let baud):
            text = "serial:\(path ?? "auto")"
            if format != Self.automatic || baud != nil { text += ",\(format)" }
            if let baud { text += ",\(baud)" }
        case .midi(let pattern, let format):
            text = "midi:\(pattern)"
            if format != Self.automatic { text += ",\(format)" }
        case .hid(let path): text = "hid:\(path ?? "auto")"
        case .file(let path): text = "file:\(path)"
        case .none: text = "none"
        }
        let names = [(Inversion.yaw, "yaw"), (.pitch, "pitch"), (.roll, "roll")]
            .filter { inversion.contains($0.0) }.map(\.1)
        if !names.isEmpty { text += ",invert=\(names.joined(separator: "+"))" }
        if latency > 0 { text += ",latency=\(latency * 1000)" }
        if let mounting { text += ",mount=\(mounting)" }
        if let id { text += ",id=\(id)" }
        if !trustsSender { text += ",clock=arrival" }
        return text
    }

    private static func place(_ address: String, _ port: Int) -> String {
        address == defaultAddress ? "\(port)" : address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
    }
}
