/// A tracker as the user names it: `osc:9000`, `opentrack:0.0.0.0:4242,invert=yaw`, `file:motion.csv`, `none`.
package struct TrackerSpecification: Hashable, Sendable {
    /// Where orientations come from.
    package enum Source: Hashable, Sendable {
        /// OSC messages over UDP; see `OrientationProfile.osc` for the addresses understood.
        case osc(address: String, port: Int)
        /// opentrack's "UDP over network": 48-byte datagrams.
        case opentrack(address: String, port: Int)
        /// A motion log `t,w,x,y,z` (body to world), played once in real time.
        case file(path: String)
        /// No tracker.
        case none
    }

    /// Where orientations come from.
    package var source: Source
    /// Angles whose sign the user turns round.
    package var inversion: Inversion = []
    /// Seconds by which orientations are older than their arrival (radio, sensor fusion); 0 unless stated. It cannot be
    /// measured one way.
    package var latency: Double = 0

    /// A tracker without options.
    package init(_ source: Source) { self.source = source }

    /// Every form, as help texts show it.
    package static let forms = ["osc:[ADDRESS:]PORT", "opentrack:[ADDRESS:]PORT", "file:CSV", "none"]

    /// The address listened on unless the user names another: only programs of this machine are heard.
    package static let defaultAddress = "127.0.0.1"

    /// Reads the user's text: `KIND:WHERE[,invert=yaw+pitch+roll][,latency=MILLISECONDS]`.
    package static func parse(_ text: String) throws(TrackerError) -> TrackerSpecification {
        if text == "none" { return TrackerSpecification(.none) }
        guard let colon = text.firstIndex(of: ":") else { throw .unknownTracker(text) }
        let rest = String(text[text.index(after: colon)...])
        var specification: TrackerSpecification
        var options: [Substring]
        switch text[..<colon] {
        case "osc", "opentrack":
            options = rest.split(separator: ",", omittingEmptySubsequences: false)
            let (address, port) = try endpoint(String(options.removeFirst()), in: text)
            specification = TrackerSpecification(
                text[..<colon] == "osc"
                    ? .osc(address: address, port: port) : .opentrack(address: address, port: port))
        case "file":
            // A path may hold commas: only what reads as an option at its end is one.
            options = rest.split(separator: ",", omittingEmptySubsequences: false)
            var names: [Substring] = []
            while options.count > 1, let last = options.last, last.hasPrefix("invert=") || last.hasPrefix("latency=") {
                names.insert(options.removeLast(), at: 0)
            }
            let path = options.joined(separator: ",")
            guard !path.isEmpty else { throw .missingPath }
            specification = TrackerSpecification(.file(path: path))
            options = names
        default: throw .unknownTracker(text)
        }
        for option in options { try specification.apply(option) }
        return specification
    }

    private mutating func apply(_ option: Substring) throws(TrackerError) {
        let parts = option.split(separator: "=", maxSplits: 1)
        switch (parts.first, parts.count) {
        case ("invert", 2):
            for name in parts[1].split(separator: "+", omittingEmptySubsequences: false) {
                switch name {
                case "yaw": inversion.insert(.yaw)
                case "pitch": inversion.insert(.pitch)
                case "roll": inversion.insert(.roll)
                default: throw .badOption(String(option))
                }
            }
        case ("latency", 2):
            guard let milliseconds = Double(parts[1]), milliseconds >= 0, milliseconds <= 1000 else {
                throw .badOption(String(option))
            }
            latency = milliseconds / 1000
        default: throw .badOption(String(option))
        }
    }

    /// `PORT`, `ADDRESS:PORT` or `[IPv6]:PORT`.
    private static func endpoint(_ place: String, in text: String) throws(TrackerError) -> (String, Int) {
        var address = defaultAddress
        var port = place
        if let colon = place.lastIndex(of: ":") {
            address = String(place[..<colon])
            port = String(place[place.index(after: colon)...])
            if address.hasPrefix("["), address.hasSuffix("]") { address = String(address.dropFirst().dropLast()) }
            if address == "localhost" { address = defaultAddress }
            guard !address.isEmpty else { throw .badAddress(address) }
        }
        guard let number = Int(port), (1...65535).contains(number) else { throw .badPort(port, in: text) }
        return (address, number)
    }
}

/// Angles whose sign is turned round after a profile's own convention has been applied: for trackers fastened or
/// configured the other way.
package struct Inversion: OptionSet, Hashable, Sendable {
    package let rawValue: Int
    /// From the bits below.
    package init(rawValue: Int) { self.rawValue = rawValue }
    /// Left becomes right.
    package static let yaw = Inversion(rawValue: 1)
    /// Up becomes down.
    package static let pitch = Inversion(rawValue: 2)
    /// The right ear becomes the left.
    package static let roll = Inversion(rawValue: 4)
}

extension TrackerSpecification: CustomStringConvertible {
    package var description: String {
        var text =
            switch source {
            case .osc(let address, let port): "osc:\(Self.place(address, port))"
            case .opentrack(let address, let port): "opentrack:\(Self.place(address, port))"
            case .file(let path): "file:\(path)"
            case .none: "none"
            }
        let names = [(Inversion.yaw, "yaw"), (.pitch, "pitch"), (.roll, "roll")]
            .filter { inversion.contains($0.0) }.map(\.1)
        if !names.isEmpty { text += ",invert=\(names.joined(separator: "+"))" }
        if latency > 0 { text += ",latency=\(latency * 1000)" }
        return text
    }

    private static func place(_ address: String, _ port: Int) -> String {
        address == defaultAddress ? "\(port)" : address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
    }
}
