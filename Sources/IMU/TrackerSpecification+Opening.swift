extension TrackerSpecification {
    /// Returns a decoder for the specified format.
    package func makeDecoder() -> any TrackerDecoder {
        switch source {
        case .udp(let format, _, _): Self.decoder(format, .messages)
        case .serial(_, let format, _): Self.decoder(format, .stream)
        case .midi(_, Self.automatic): MIDIChoice()
        case .midi(_, let format): Self.decoder(format, .messages)
        // Once the device is open, `OpenDevice.decoder` replaces this decoder, because the device's descriptor gives
        // the layout of the reports.
        case .hid: AndroidHeadTrackerDecoder()
        case .file, .none: SilentDecoder()
        }
    }

    /// Name of the specified format; `nil` if the format is to be recognised or the source has none.
    var format: String? {
        switch source {
        case .udp(let format, _, _), .serial(_, let format, _), .midi(_, let format):
            format == Self.automatic ? nil : format
        case .hid: TrackerFormat.all.first { $0.transports.contains(.hid) }?.name
        case .file, .none: nil
        }
    }

    /// Returns the transport of the source. Nil without a tracker, and for MIDI, which arrives through JACK.
    func transport(clock: @escaping @Sendable () -> Double) -> (any TrackerTransport)? {
        switch source {
        case .udp(_, let address, let port): UDPTransport(address: address, port: port, clock: clock)
        case .serial(let path, let format, let baud):
            DeviceTransport(
                SerialDevice(path: path, speeds: baud.map { [$0] } ?? Self.speeds(format)), name: "tracker serial",
                clock: clock)
        case .hid(let path): DeviceTransport(HIDDevice(path: path), name: "tracker hid", clock: clock)
        case .file(let path): FileTransport(path: path, clock: clock)
        case .midi, .none: nil
        }
    }

    /// Returns the baud rates to try: only the rate of the format if the user named a format with a rate, otherwise the
    /// rates of all formats, 115 200 first.
    private static func speeds(_ format: String) -> [Int] {
        if format != automatic, let baud = TrackerFormat.named(format)?.baud { return [baud] }
        var speeds: [Int] = []
        for baud in [115_200] + TrackerFormat.all.compactMap(\.baud) where !speeds.contains(baud) {
            speeds.append(baud)
        }
        return speeds
    }

    private static func decoder(_ name: String, _ framing: TrackerFormat.Framing) -> any TrackerDecoder {
        TrackerFormat.named(name)?.makeDecoder(framing) ?? SilentDecoder()
    }
}

/// Decoder of a source that delivers no bytes.
private struct SilentDecoder: TrackerDecoder {
    mutating func decode(_ bytes: [UInt8], into output: inout DecoderOutput) {}
}

/// Runs the decoders of all MIDI formats. No message is valid in two of these formats.
private struct MIDIChoice: TrackerDecoder {
    private var candidates = TrackerFormat.all.filter { $0.transports.contains(.midi) }.map {
        (name: $0.name, decoder: $0.makeDecoder(.messages))
    }
    private(set) var recognised: String?

    /// The opening messages of all formats: each tracker ignores those of other formats.
    var opening: [[UInt8]] { candidates.flatMap { $0.decoder.opening } }

    mutating func decode(_ bytes: [UInt8], into output: inout DecoderOutput) {
        for index in candidates.indices {
            let before = output.readings.count
            candidates[index].decoder.decode(bytes, into: &output)
            if output.readings.count > before { recognised = candidates[index].name }
        }
    }
}
