extension TrackerSpecification {
    /// Reads the user's text: `KIND:WHERE[,OPTION=VALUE]…`. Throws if a part is missing, unknown or out of range.
    package static func parse(_ text: String) throws(TrackerError) -> TrackerSpecification {
        let colon = text.firstIndex(of: ":")
        let kind = text[..<(colon ?? text.firstIndex(of: ",") ?? text.endIndex)]
        let rest = colon.map { text[text.index(after: $0)...] } ?? text[kind.endIndex...].dropFirst()
        // A path may contain commas: only the last fields that are options count as options.
        var fields = rest.split(separator: ",", omittingEmptySubsequences: false)
        var options: [Substring] = []
        while let last = fields.last, isOption(last) { options.insert(fields.removeLast(), at: 0) }
        var specification: TrackerSpecification
        switch kind {
        case "none" where fields.isEmpty || colon == nil: specification = TrackerSpecification(.none)
        case "file":
            let path = fields.joined(separator: ",")
            guard !path.isEmpty else { throw .missingPath }
            specification = TrackerSpecification(.file(path: path))
        case "serial": specification = TrackerSpecification(try serial(fields, in: text))
        case "midi":
            guard let pattern = fields.first, !pattern.isEmpty else { throw .missingMIDIPort }
            try expect(fields, atMost: 2)
            let format = try format(fields.dropFirst().first, over: "midi") { $0.transports.contains(.midi) }
            specification = TrackerSpecification(.midi(pattern: String(pattern), format: format))
        case "hid":
            try expect(fields, atMost: 1)
            guard let path = fields.first, !path.isEmpty else { throw .missingHIDDevice }
            specification = TrackerSpecification(.hid(path: path == "auto" ? nil : String(path)))
        default:
            specification = TrackerSpecification(try datagrams(kind, rest: colon.map { _ in fields }, in: text))
        }
        for option in options { try specification.apply(option) }
        return specification
    }

    private static func datagrams(
        _ kind: Substring, rest: [Substring]?, in text: String
    ) throws(TrackerError) -> Source {
        var place = rest.map { $0.first.map(String.init) ?? "" }
        var name = String(kind)
        if kind == "udp" {
            // Accepts udp:auto, udp:FORMAT and udp:auto:9000, and for the program's own format udp:9000 and
            // udp:ADDRESS:9000.
            name = ownFormat
            let first = (place ?? "").prefix { $0 != ":" }
            if first == automatic || TrackerFormat.named(String(first))?.port != nil {
                name = String(first)
                let after = place?.dropFirst(first.count) ?? ""
                place = after.isEmpty ? nil : String(after.dropFirst())
            }
        }
        guard let known = TrackerFormat.named(name), let port = known.port, kind != "auto" else {
            throw .unknownTracker(text)
        }
        try expect(rest ?? [], atMost: 1)
        guard let place else { return .udp(format: name, address: defaultAddress, port: port) }
        let (address, chosen) = try endpoint(place, in: text)
        return .udp(format: name, address: address, port: chosen)
    }

    private static func serial(_ fields: [Substring], in text: String) throws(TrackerError) -> Source {
        guard let path = fields.first, !path.isEmpty else { throw .missingSerialLine }
        try expect(fields, atMost: 3)
        let format = try format(fields.dropFirst().first, over: "serial") { $0.baud != nil }
        var baud: Int?
        if fields.count > 2 {
            guard let number = Int(fields[2]), (50...12_000_000).contains(number) else {
                throw .badBaud(String(fields[2]), in: text)
            }
            baud = number
        }
        return .serial(path: path == "auto" ? nil : String(path), format: format, baud: baud)
    }

    /// Returns the format's name, `auto` by default. Throws if this transport does not support the format.
    private static func format(
        _ name: Substring?, over transport: String, _ fits: (TrackerFormat) -> Bool
    ) throws(TrackerError) -> String {
        guard let name, name != automatic else { return automatic }
        guard let known = TrackerFormat.named(String(name)), fits(known) else {
            let names = TrackerFormat.all.filter(fits).map(\.name).filter { $0 != automatic }
            throw .unknownFormat(String(name), transport: transport, known: [automatic] + names)
        }
        return known.name
    }

    private static func expect(_ fields: [Substring], atMost count: Int) throws(TrackerError) {
        if fields.count > count { throw .badOption(String(fields[count])) }
    }

    private static func isOption(_ field: Substring) -> Bool {
        ["invert=", "latency=", "mount=", "id=", "clock="].contains { field.hasPrefix($0) }
    }

    private mutating func apply(_ option: Substring) throws(TrackerError) {
        let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count > 1 ? parts[1] : ""
        switch parts.first {
        case "invert":
            for name in value.split(separator: "+", omittingEmptySubsequences: false) {
                switch name {
                case "yaw": inversion.insert(.yaw)
                case "pitch": inversion.insert(.pitch)
                case "roll": inversion.insert(.roll)
                default: throw .badOption(String(option))
                }
            }
        case "latency":
            guard let milliseconds = Double(value), milliseconds >= 0, milliseconds <= 1000 else {
                throw .badOption(String(option))
            }
            latency = milliseconds / 1000
        case "mount":
            guard let mounting = Mounting(value) else { throw .badOption(String(option)) }
            self.mounting = mounting
        case "id":
            guard !value.isEmpty else { throw .badOption(String(option)) }
            id = String(value)
        case "clock":
            guard value == "arrival" || value == "sender" else { throw .badOption(String(option)) }
            trustsSender = value == "sender"
        default: throw .badOption(String(option))
        }
    }

    /// Reads `PORT`, `ADDRESS:PORT` or `[IPv6]:PORT`.
    static func endpoint(_ place: String, in text: String) throws(TrackerError) -> (address: String, port: Int) {
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
