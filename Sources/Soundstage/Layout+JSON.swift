import Foundation
import Gate
import Signal

/// Layouts of one's own, as JSON.
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
/// `name` is required and becomes the port `in_NAME`; `azimuth` (degrees, left positive, −180…180) is required unless
/// `lfe` is true; `elevation` (degrees, −90…90), `gain` (dB, −80…20), `width` (degrees, 0…180), `distance` (m, 0.2…20),
/// `motion` (`tracked`, `fixed`, `direct`), `lfe` and `pretty` (the name for people) are optional.
/// Unknown keys are errors.
extension Layout {
    /// Channels a custom layout may have: as many as one JACK client registers with ease.
    package static let maximumChannels = 64

    /// Reads a layout from a JSON file.
    ///
    /// - Throws: `unreadable`, `notJSON`, `invalid` with the key at fault.
    package init(jsonAt path: String) throws(SoundstageError) {
        let bytes: [UInt8]
        do throws(BoundedFile.Refusal) {
            bytes = try BoundedFile.bytes(of: path, most: JSONBounds.written.bytes)
        } catch {
            throw .unreadable(path: path, reason: error.description)
        }
        try self.init(json: bytes, source: path)
    }

    /// Bytes that a name may have: more than any port's.
    static let longestName = 256

    /// Reads a layout from JSON in UTF-8; `source` is what errors call it.
    package init(json bytes: [UInt8], source: String = "JSON") throws(SoundstageError) {
        if let excess = JSONBounds.written.excess(in: bytes) { throw .notJSON(source: source, reason: excess) }
        let value: JSON
        do {
            value = try JSONDecoder().decode(JSON.self, from: Data(bytes))
        } catch {
            throw .notJSON(source: source, reason: JSON.fault(in: bytes))
        }
        self = try LayoutReader(source: source).layout(value)
    }
}

/// Walks the JSON and knows the path of every value it looks at.
private struct LayoutReader {
    let source: String

    func layout(_ value: JSON) throws(SoundstageError) -> Layout {
        guard case .object(let fields) = value else { throw fault("the file", "must be an object { … }") }
        try refuseUnknown(fields, at: "", known: ["name", "loudspeakers"])
        let name = try text(fields["name"], at: "name")
        guard case .list(let list) = fields["loudspeakers"] else {
            throw fault("loudspeakers", fields["loudspeakers"] == nil ? "is missing" : "must be a list [ … ]")
        }
        guard (1...Layout.maximumChannels).contains(list.count) else {
            throw fault("loudspeakers", "must have 1 to \(Layout.maximumChannels) entries, not \(list.count)")
        }
        var loudspeakers: [Loudspeaker] = []
        for (index, entry) in list.enumerated() {
            let next = try loudspeaker(entry, at: "loudspeakers[\(index)]")
            if let twin = loudspeakers.firstIndex(where: { $0.symbol == next.symbol }) {
                throw fault(
                    "loudspeakers[\(index)].name", "'\(next.symbol)' is already the name of loudspeakers[\(twin)]")
            }
            loudspeakers.append(next)
        }
        return Layout(name: name, loudspeakers: loudspeakers)
    }

    /// Distances of loudspeakers, metres.
    private static let distances = 0.2...20.0

    private func loudspeaker(_ value: JSON, at key: String) throws(SoundstageError) -> Loudspeaker {
        guard case .object(let fields) = value else { throw fault(key, "must be an object { … }") }
        try refuseUnknown(
            fields, at: key + ".",
            known: ["name", "pretty", "azimuth", "elevation", "gain", "width", "distance", "motion", "lfe"])
        let symbol = try text(fields["name"], at: key + ".name")
        let isPortable = symbol.unicodeScalars.allSatisfy {
            $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_" || $0 == "-")
        }
        guard isPortable, (1...32).contains(symbol.utf8.count) else {
            throw fault(key + ".name", "must be 1 to 32 letters, digits, '_' or '-', as it becomes a port name")
        }
        var isLowFrequency = false
        switch fields["lfe"] {
        case nil: break
        case .bool(let flag): isLowFrequency = flag
        default: throw fault(key + ".lfe", "must be true or false")
        }
        var motion = Loudspeaker.Motion.tracked
        if let given = fields["motion"] {
            guard case .text(let word) = given, let known = Loudspeaker.Motion(rawValue: word) else {
                throw fault(key + ".motion", "must be \"tracked\", \"fixed\" or \"direct\"")
            }
            guard !isLowFrequency || known == .direct else {
                throw fault(key + ".motion", "must be \"direct\" for an LFE channel")
            }
            motion = known
        }
        if fields["width"] != nil, motion == .direct || isLowFrequency {
            throw fault(key + ".width", "is for loudspeakers with a direction, not for \"direct\" or LFE channels")
        }
        if fields["distance"] != nil, motion == .direct || isLowFrequency {
            throw fault(key + ".distance", "is for loudspeakers with a direction, not for \"direct\" or LFE channels")
        }
        if fields["azimuth"] == nil, !isLowFrequency { throw fault(key + ".azimuth", "is missing") }
        let standard = Channel(rawValue: symbol)
        let pretty = fields["pretty"] == nil ? nil : try text(fields["pretty"], at: key + ".pretty")
        return Loudspeaker(
            symbol: symbol,
            prettyName: pretty ?? standard?.prettyName,
            azimuthDegrees: try number(fields["azimuth"], at: key + ".azimuth", in: -180...180, unit: "degrees"),
            elevationDegrees: try number(fields["elevation"], at: key + ".elevation", in: -90...90, unit: "degrees"),
            gain: Decibels(try number(fields["gain"], at: key + ".gain", in: -80...20, unit: "dB")),
            widthDegrees: try number(fields["width"], at: key + ".width", in: 0...180, unit: "degrees"),
            distance: fields["distance"] == nil
                ? nil : try number(fields["distance"], at: key + ".distance", in: Self.distances, unit: "m"),
            motion: motion,
            isLowFrequency: isLowFrequency,
            waveMask: standard?.waveMask)
    }

    private func text(_ value: JSON?, at key: String) throws(SoundstageError) -> String {
        guard let value else { throw fault(key, "is missing") }
        guard case .text(let text) = value, !text.isEmpty else { throw fault(key, "must be a text in quotes") }
        guard text.utf8.count <= Layout.longestName else {
            throw fault(key, "is longer than \(Layout.longestName) bytes")
        }
        return text
    }

    private func number(
        _ value: JSON?, at key: String, in range: ClosedRange<Double>, unit: String
    ) throws(SoundstageError) -> Double {
        guard let value else { return 0 }
        guard case .number(let number) = value else { throw fault(key, "must be a number (\(unit))") }
        guard range.contains(number) else {
            throw fault(key, "is \(number), outside \(text(range.lowerBound))…\(text(range.upperBound)) \(unit)")
        }
        return number
    }

    /// A limit as it is written.
    private func text(_ limit: Double) -> String { Int(exactly: limit).map(String.init) ?? String(limit) }

    private func refuseUnknown(_ fields: [String: JSON], at key: String, known: [String]) throws(SoundstageError) {
        guard let stranger = fields.keys.filter({ !known.contains($0) }).min() else { return }
        throw fault(key + stranger, "is unknown; known keys: \(known.joined(separator: ", "))")
    }

    private func fault(_ key: String, _ reason: String) -> SoundstageError {
        .invalid(source: source, key: key, reason: reason)
    }
}
