/// A tracker as the user names it: `osc:9000`, `serial:auto`, `opentrack:0.0.0.0:4242,invert=yaw`, `file:motion.csv`,
/// `none`.
package struct TrackerSpecification: Hashable, Sendable {
    /// Where a tracker is heard.
    package enum Source: Hashable, Sendable {
        /// Datagrams of a format of `TrackerFormat.all`; format `auto`: recognised. Port 0, in tests: any.
        case udp(format: String, address: String, port: Int)
        /// A serial line; without a path the first that is plugged in, without a speed the format's own.
        case serial(path: String?, format: String, baud: Int?)
        /// A MIDI port of the JACK server whose name holds the pattern.
        case midi(pattern: String, format: String)
        /// A HID device; without a path the first that is a head tracker.
        case hid(path: String?)
        /// A motion log `t,w,x,y,z` (body to world) or a recording of a raw IMU, played once in real time.
        case file(path: String)
        /// No tracker.
        case none
    }

    /// Where the tracker is heard.
    package var source: Source
    /// Angles whose sign the user turns round.
    package var inversion: Inversion = []
    /// Seconds by which samples are older than can be told from their arrival (radio, sensor fusion); 0 unless stated.
    /// It cannot be measured one way.
    package var latency: Double = 0
    /// How the tracker sits, where the user says so; else what calibration found, else as its decoder has it.
    package var mounting: Mounting?
    /// The name under which mounting and bias are remembered, where the user gives one.
    package var id: String?
    /// Whether the sender's time stamps are used; if not, times are those of arrival.
    package var trustsSender = true

    /// A tracker without options.
    package init(_ source: Source) { self.source = source }

    /// The format that is recognised by itself.
    package static let automatic = "auto"

    /// The format `udp:` alone means: our own.
    static let ownFormat = "lines"

    /// The address listened on unless the user names another: only programs of this machine are heard.
    package static let defaultAddress = "127.0.0.1"

    /// Every form, as help texts show it.
    package static var forms: [String] {
        let udp = TrackerFormat.all.filter { $0.port != nil && ![ownFormat, automatic].contains($0.name) }
            .map { "\($0.name):[ADDRESS:]PORT" }
        return udp + [
            "udp:[ADDRESS:]PORT", "udp:auto[:[ADDRESS:]PORT]", "serial:PATH[,FORMAT[,BAUD]]", "serial:auto",
            "midi:PATTERN[,FORMAT]", "hid:auto", "hid:PATH", "file:CSV", "none",
        ]
    }

    /// Every option, as help texts show it.
    package static let options = [
        "invert=yaw+pitch+roll (any of them)", "latency=MILLISECONDS",
        "mount=\(Mounting.Attitude.allCases.map(\.rawValue).joined(separator: "|")) or mount=YAW/PITCH/ROLL in degrees",
        "id=NAME", "clock=arrival",
    ]

    /// The name under which mounting and bias are remembered while the tracker has not told its own: the user's, else
    /// the text without options.
    package var fallbackID: String {
        id ?? TrackerSpecification(source).description
    }
}

extension TrackerSpecification: CustomStringConvertible {
    /// As it is written on the command line.
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
