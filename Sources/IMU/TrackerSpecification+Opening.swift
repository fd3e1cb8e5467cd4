extension TrackerSpecification {
    /// A decoder for what the specification names.
    package func makeDecoder() -> any TrackerDecoder {
        switch source {
        case .udp(let format, _, _): Self.decoder(format, .messages) { $0.port != nil }
        case .serial(_, let format, _): Self.decoder(format, .stream) { $0.baud != nil }
        case .midi(_, let format): Self.decoder(format, .messages) { $0.carriers.contains(.midi) }
        case .hid: Self.decoder(Self.automatic, .messages) { $0.carriers.contains(.hid) }
        case .file, .none: SilentDecoder()
        }
    }

    /// What carries the bytes; `nil` for no tracker and for MIDI, which JACK carries.
    func carrier(clock: @escaping @Sendable () -> Double) -> (any TrackerCarrier)? {
        switch source {
        case .udp(_, let address, let port): UDPCarrier(address: address, port: port, clock: clock)
        case .serial(let path, let format, let baud):
            DeviceCarrier(
                SerialDevice(path: path, speeds: baud.map { [$0] } ?? Self.speeds(format)), name: "tracker serial",
                clock: clock)
        case .hid(let path): DeviceCarrier(HIDDevice(path: path), name: "tracker hid", clock: clock)
        case .file(let path): FileCarrier(path: path, clock: clock)
        case .midi, .none: nil
        }
    }

    /// The speeds to try: the format's own, or, where the format is to be recognised, those of all, usual ones first.
    private static func speeds(_ format: String) -> [Int] {
        if let baud = TrackerFormat.named(format)?.baud { return [baud] }
        var speeds: [Int] = []
        for baud in [115_200] + TrackerFormat.all.compactMap(\.baud) where !speeds.contains(baud) {
            speeds.append(baud)
        }
        return speeds
    }

    private static func decoder(
        _ name: String, _ framing: TrackerFormat.Framing, _ fits: (TrackerFormat) -> Bool
    ) -> any TrackerDecoder {
        if let format = TrackerFormat.named(name) { return format.makeDecoder(framing) }
        return TrackerFormat.all.first(where: fits)?.makeDecoder(framing) ?? SilentDecoder()
    }
}

/// The decoder of what sends no bytes.
private struct SilentDecoder: TrackerDecoder {
    mutating func decode(_ bytes: [UInt8], into output: inout DecoderOutput) {}
}
