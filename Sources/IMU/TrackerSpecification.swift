/// A tracker as the user specifies it: `osc:9000`, `serial:auto`, `opentrack:0.0.0.0:4242,invert=yaw`,
/// `file:motion.csv`, `none`.
package struct TrackerSpecification: Hashable, Sendable {
    /// Source of a tracker's data.
    package enum Source: Hashable, Sendable {
        /// Datagrams of a format of `TrackerFormat.all`; the format `auto` is recognised from the data. Port 0 is any
        /// free port; only tests use it.
        case udp(format: String, address: String, port: Int)
        /// A serial line. A nil path is the first line that is plugged in; a nil baud rate is the rate of the format,
        /// or for `auto` the rates of all formats in turn.
        case serial(path: String?, format: String, baud: Int?)
        /// A MIDI port of the JACK server whose name contains the pattern.
        case midi(pattern: String, format: String)
        /// A HID device. A nil path is the first device that is a head tracker.
        case hid(path: String?)
        /// A motion log `t,w,x,y,z` (body to world) or a recording of a raw IMU. It is played once in real time.
        case file(path: String)
        /// No tracker.
        case none
    }

    /// Source of the tracker's data.
    package var source: Source
    /// Angles whose sign the user inverts.
    package var inversion: Inversion = []
    /// Constant latency of the samples before their arrival (radio, sensor fusion), seconds; 0 by default. The user
    /// states it, because it cannot be measured in one direction.
    package var latency: Double = 0
    /// Mounting that the user specified. Nil uses the calibrated mounting, or the axes of the decoder if there is none.
    package var mounting: Mounting?
    /// Name, given by the user, under which the calibration is stored; nil if there is none.
    package var id: String?
    /// Whether the sender's time stamps are used; if not, a sample's time is derived from its arrival.
    package var trustsSender = true

    /// Creates a tracker without options.
    package init(_ source: Source) { self.source = source }

    /// Name of the format that is recognised from the data.
    package static let automatic = "auto"

    /// Format of `udp:` if the text names none: Proscenium's own format.
    static let ownFormat = "lines"

    /// Default address of a socket: only programs on this machine can reach it.
    package static let defaultAddress = "127.0.0.1"

    /// All forms of a specification, as help texts show them.
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

    /// Name under which the calibration is stored until the tracker states its own name: the user's `id`, or else the
    /// specification without options.
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
