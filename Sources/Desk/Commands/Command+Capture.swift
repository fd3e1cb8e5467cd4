import Capture

extension Command {
    /// Commands of a capture, beside those for recordings, `status` and `watch`.
    static let capture: [Command] = [
        Command(
            "capture/source", .these(types: "s", "a pattern of ports, or one for each input"),
            "switches to other sources", in: .capture, line: "source PORTS"
        ) {
            .capture(
                .source(
                    $0.text(else: "") { (said: String) -> String? in
                        let ports = String(trimmed(said[...]))
                        return ports.isEmpty ? nil : ports
                    }))
        } writes: {
            if case .capture(.source(let ports)) = $0 { [.text(ports)] } else { nil }
        },
        Command(
            "capture/orientation", .these(types: "s", words(of: InputOrientation.self)),
            "sets the orientation of the device", in: .capture,
            line: "orientation " + words(of: InputOrientation.self)
        ) {
            .capture(.orientation($0.word(InputOrientation.portrait)))
        } writes: {
            if case .capture(.orientation(let orientation)) = $0 { [.text(orientation.rawValue)] } else { nil }
        },
        Command(
            "capture/rendition", .these(types: "s", words(of: StereoRendition.self)),
            "sets the stereo rendition", in: .capture, line: "rendition " + words(of: StereoRendition.self)
        ) {
            .capture(.rendition($0.word(StereoRendition.omni)))
        } writes: {
            if case .capture(.rendition(let rendition)) = $0 { [.text(rendition.rawValue)] } else { nil }
        },
    ]

    /// Commands for the measurement of a person. Its progress appears as values of the state (`measurement/phase`).
    static let measurement: [Command] = [
        Command(
            "measure/begin", "begins the take that waits for the measured person", in: .measurement,
            means: .measurement(.begin)),
        Command(
            "measure/repeat",
            "repeats the take of the present look in a measurement, or between takes that of the last look",
            in: .measurement, means: .measurement(.again)),
        Command(
            "measure/skip", "leaves out the present look of a measurement", in: .measurement,
            means: .measurement(.skip)),
        Command(
            "measure/stop", "ends a measurement; its good takes are kept", in: .measurement,
            means: .measurement(.stop)),
    ]

    /// Syntax of all lines of a capture's standard input, for help texts and error messages.
    package static var lines: String {
        all.compactMap(\.line).joined(separator: ", ")
    }

    /// Returns the words of a type, separated by `|`.
    private static func words<Word: RawRepresentable<String> & CaseIterable>(of type: Word.Type) -> String {
        type.allCases.map(\.rawValue).joined(separator: "|")
    }
}

extension SessionCommand {
    /// The request that the command makes to a capture; nil if a capture does not carry it out.
    package var captureRequest: CaptureRequest? {
        switch self {
        case .capture(let request): request
        case .record(.start(file: nil)): .begin
        case .record(.stop): .end
        case .record(.turn(let isOn)): .turn(on: isOn)
        case .record(.marker(let name)): .mark(name)
        default: nil
        }
    }
}
