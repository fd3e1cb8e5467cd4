/// Requests to a running capture.
package enum CaptureRequest: Equatable, Sendable {
    /// Begins a take, with the pre-roll.
    case begin
    /// Ends the take.
    case end
    /// Begins or ends a take if the present state differs; nil toggles.
    case turn(on: Bool?)
    /// Sets a marker at the present time; nil numbers it.
    case mark(String?)
    /// Changes to other sources, whose ports match the pattern; one source for each input.
    case source(String)
    /// Sets the orientation of the device.
    case orientation(InputOrientation)
    /// Sets the stereo rendition.
    case rendition(StereoRendition)

    /// Syntax of all commands, for help texts.
    package static let words =
        "record, stop, marker [NAME], source PORTS, orientation \(InputOrientation.allCases.map(\.rawValue).joined(separator: "|")), "
        + "rendition \(StereoRendition.allCases.map(\.rawValue).joined(separator: "|"))"

    /// Parses a command line; nil if it is invalid.
    package init?(_ line: String) {
        let line = line.drop { $0.isWhitespace }
        let word = line.prefix { !$0.isWhitespace }
        var rest = String(line.dropFirst(word.count).drop { $0.isWhitespace })
        while rest.last?.isWhitespace ?? false { rest.removeLast() }
        switch word {
        case "record" where rest.isEmpty: self = .begin
        case "stop" where rest.isEmpty: self = .end
        case "marker": self = .mark(rest.isEmpty ? nil : rest)
        case "source" where !rest.isEmpty: self = .source(rest)
        case "orientation":
            guard let orientation = InputOrientation(rawValue: rest) else { return nil }
            self = .orientation(orientation)
        case "rendition":
            guard let rendition = StereoRendition(rawValue: rest) else { return nil }
            self = .rendition(rendition)
        default: return nil
        }
    }
}
