/// What may be asked of a capture while it goes on.
package enum CaptureRequest: Equatable, Sendable {
    /// Begins the take, with what was heard before.
    case begin
    /// Ends it.
    case end
    /// Begins it or ends it, where that is not so; nil: whichever is not so.
    case turn(on: Bool?)
    /// Sets a marker now; nil for one by its number.
    case mark(String?)
    /// Turns to other sources, by a pattern for each input, or one for all.
    case source(String)
    /// The device is held so from now on.
    case orientation(InputOrientation)
    /// Another stereo rendition from now on.
    case rendition(StereoRendition)

    /// The words of all commands.
    package static let words =
        "record, stop, marker [NAME], source PORTS, orientation \(InputOrientation.allCases.map(\.rawValue).joined(separator: "|")), "
        + "rendition \(StereoRendition.allCases.map(\.rawValue).joined(separator: "|"))"

    /// Reads a line; nil where it is none.
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
