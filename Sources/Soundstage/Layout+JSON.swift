import Foundation
import Gate
import Signal

/// JSON format of custom layouts.
///
/// ```json
/// {
///     "name": "booth",
///     "loudspeakers": [
///         { "name": "L", "azimuth": 30 },
///         { "name": "R", "azimuth": -30 },
///         { "name": "talkback", "azimuth": 90, "elevation": 0, "gain": -6, "motion": "direct" },
///         { "name": "LFE", "lfe": true }
///     ]
/// }
/// ```
/// In a loudspeaker, `name` is required and becomes the port `in_NAME`. `azimuth` (degrees, left positive, −180…180) is
/// required unless `lfe` is true. All other keys are optional: `elevation` (degrees, −90…90), `gain` (dB, −80…20),
/// `width` (degrees, 0…180), `distance` (m, 0.2…20), `motion` (`tracked`, `fixed`, `direct`), `lfe`, and `pretty` (the
/// name for display). Unknown keys are errors.
extension Layout {
    /// Largest number of channels of a custom layout. A JACK client can register this number of ports without
    /// difficulty.
    package static let maximumChannels = 64

    /// Reads a layout from a JSON file.
    ///
    /// - Throws: `unreadable`, `notJSON`, or `invalid` with the faulty key.
    package init(jsonAt path: String) throws(SoundstageError) {
        do throws(JSONFile.Refusal) {
            self = try LayoutReader.layout(try JSONFile.value(at: path, within: .written))
        } catch {
            throw SoundstageError(error, in: path)
        }
    }

    /// Largest length of a layout's name and of a name for display, bytes. A loudspeaker's `name` has at most 32 bytes.
    static let longestName = 256

    /// Reads a layout from JSON in UTF-8. `source` is the name of the text in errors.
    package init(json bytes: [UInt8], source: String = "JSON") throws(SoundstageError) {
        do throws(JSONFile.Refusal) {
            self = try LayoutReader.layout(try JSONFile.value(of: bytes, within: .written))
        } catch {
            throw SoundstageError(error, in: source)
        }
    }
}

extension SoundstageError {
    /// Makes the error for a file that was refused.
    fileprivate init(_ refusal: JSONFile.Refusal, in source: String) {
        switch refusal {
        case .unreadable(let reason): self = .unreadable(path: source, reason: reason)
        case .notJSON(let reason): self = .notJSON(source: source, reason: reason)
        case .invalid(let key, let reason): self = .invalid(source: source, key: key, reason: reason)
        }
    }
}

/// Parser of a layout file.
private enum LayoutReader {
    static func layout(_ value: JSONValue) throws(JSONFile.Refusal) -> Layout {
        let file = try JSONFields(value, known: ["name", "loudspeakers"])
        let name = try file.text("name", longest: Layout.longestName)
        var loudspeakers: [Loudspeaker] = []
        for (index, entry) in try file.list("loudspeakers", count: 1...Layout.maximumChannels).enumerated() {
            let next = try loudspeaker(entry, at: "loudspeakers[\(index)]")
            if let twin = loudspeakers.firstIndex(where: { $0.symbol == next.symbol }) {
                throw file.fault(
                    "loudspeakers[\(index)].name", "'\(next.symbol)' is already the name of loudspeakers[\(twin)]")
            }
            loudspeakers.append(next)
        }
        return Layout(name: name, loudspeakers: loudspeakers)
    }

    /// Allowed distances of loudspeakers, metres.
    private static let distances = 0.2...20.0

    private static func loudspeaker(_ value: JSONValue, at path: String) throws(JSONFile.Refusal) -> Loudspeaker {
        let fields = try JSONFields(
            value, at: path,
            known: ["name", "pretty", "azimuth", "elevation", "gain", "width", "distance", "motion", "lfe"])
        let symbol = try fields.text("name", longest: Layout.longestName)
        let isPortable = symbol.unicodeScalars.allSatisfy {
            $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_" || $0 == "-")
        }
        guard isPortable, (1...32).contains(symbol.utf8.count) else {
            throw fields.fault(
                "name", "must be 1 to 32 letters, digits, '_' or '-', because the name is used for a port")
        }
        var isLowFrequency = false
        switch fields["lfe"] {
        case nil: break
        case .truth(let flag): isLowFrequency = flag
        default: throw fields.fault("lfe", "must be true or false")
        }
        var motion = Loudspeaker.Motion.tracked
        if let given = fields["motion"] {
            guard let known = given.text.flatMap({ Loudspeaker.Motion(rawValue: $0) }) else {
                throw fields.fault("motion", "must be \"tracked\", \"fixed\" or \"direct\"")
            }
            guard !isLowFrequency || known == .direct else {
                throw fields.fault("motion", "must be \"direct\" for an LFE channel")
            }
            motion = known
        }
        for key in ["width", "distance"] where fields[key] != nil && (motion == .direct || isLowFrequency) {
            throw fields.fault(key, "is for loudspeakers with a direction, not for \"direct\" or LFE channels")
        }
        if fields["azimuth"] == nil, !isLowFrequency { throw fields.fault("azimuth", "is missing") }
        let standard = Channel(rawValue: symbol)
        let pretty = fields["pretty"] == nil ? nil : try fields.text("pretty", longest: Layout.longestName)
        return Loudspeaker(
            symbol: symbol,
            prettyName: pretty ?? standard?.prettyName,
            azimuthDegrees: try fields.number("azimuth", in: -180...180, unit: "degrees") ?? 0,
            elevationDegrees: try fields.number("elevation", in: -90...90, unit: "degrees") ?? 0,
            gain: Decibels(try fields.number("gain", in: -80...20, unit: "dB") ?? 0),
            widthDegrees: try fields.number("width", in: 0...180, unit: "degrees") ?? 0,
            distance: try fields.number("distance", in: distances, unit: "m"),
            motion: motion,
            isLowFrequency: isLowFrequency,
            waveMask: standard?.waveMask)
    }
}
