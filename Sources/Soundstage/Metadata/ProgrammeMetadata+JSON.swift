import Foundation
import Gate

/// Metadata as JSON.
///
/// ```json
/// {
///     "loudness": -23.1, "loudnessRange": 14.2, "truePeak": -1.4,
///     "dialnorm": -27, "drc": "film-standard",
///     "layout": "7.1.4", "order": "film", "encoding": "lt-rt", "content": "av",
///     "place": { "yaw": 20, "pitch": 0, "roll": 0 }, "width": 15,
///     "sound": { "frames": 480000, "sha256": "9f86…" }
/// }
/// ```
/// All keys are optional; `place` needs one of its three, `sound` both. Unknown keys are errors, so that a slip of the
/// pen is not passed over.
extension ProgrammeMetadata {
    /// The metadata beside a sound file; nil where there is no such file.
    ///
    /// - Throws: `unreadable`, `notJSON`, `invalid` with the key at fault.
    package static func beside(file path: String) throws(ProgrammeMetadataError) -> ProgrammeMetadata? {
        let path = self.path(besideFile: path)
        guard access(path, F_OK) == 0 else { return nil }
        return try ProgrammeMetadata(jsonAt: path)
    }

    /// Reads a JSON file.
    ///
    /// - Throws: `unreadable`, `notJSON`, `invalid` with the key at fault.
    package init(jsonAt path: String) throws(ProgrammeMetadataError) {
        let bytes: [UInt8]
        do throws(BoundedFile.Refusal) {
            bytes = try BoundedFile.bytes(of: path, most: JSONBounds.written.bytes)
        } catch {
            throw .unreadable(path: path, reason: error.description)
        }
        try self.init(json: bytes, source: path)
    }

    /// Reads JSON in UTF-8; `source` is what errors call it.
    package init(json bytes: [UInt8], source: String = "JSON") throws(ProgrammeMetadataError) {
        if let excess = JSONBounds.written.excess(in: bytes) { throw .notJSON(source: source, reason: excess) }
        let value: JSON
        do { value = try JSONDecoder().decode(JSON.self, from: Data(bytes)) } catch {
            throw .notJSON(source: source, reason: JSON.fault(in: bytes))
        }
        self = try MetadataReader(source: source).metadata(value)
    }

    /// The same as JSON in UTF-8, keys in alphabetical order; a file that `init(jsonAt:)` reads.
    package var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Finite numbers and texts cannot fail to encode; others are no metadata and leave an empty object to be seen.
        guard let bytes = try? encoder.encode(self) else { return Array("{}\n".utf8) }
        return Array(bytes) + [UInt8(ascii: "\n")]
    }
}

/// Walks the JSON and knows the key of every value it looks at.
private struct MetadataReader {
    let source: String

    func metadata(_ value: JSON) throws(ProgrammeMetadataError) -> ProgrammeMetadata {
        guard case .object(let fields) = value else { throw fault("the file", "must be an object { … }") }
        try refuseUnknown(
            fields, at: "",
            known: [
                "content", "dialnorm", "drc", "encoding", "layout", "loudness", "loudnessRange", "order", "place",
                "sound", "truePeak", "width",
            ])
        var found = ProgrammeMetadata()
        found.loudness = try number(fields["loudness"], "loudness", in: -70...5, unit: "LUFS")
        found.loudnessRange = try number(fields["loudnessRange"], "loudnessRange", in: 0...70, unit: "LU")
        found.truePeak = try number(fields["truePeak"], "truePeak", in: -150...30, unit: "dBTP")
        if let dialnorm = try number(fields["dialnorm"], "dialnorm", in: -31...0, unit: "dB") {
            guard dialnorm == dialnorm.rounded() else { throw fault("dialnorm", "must be a whole number, −31 to −1") }
            found.dialnorm = dialnorm == 0 ? -31 : Int(dialnorm)
        }
        let profiles = CompressionProfile.allCases.map(\.word)
        if let name = try word(fields["drc"], "drc", of: profiles) { found.drc = CompressionProfile(word: name) }
        if let layout = fields["layout"] {
            guard case .text(let name) = layout, !name.isEmpty else {
                throw fault("layout", "must be a text in quotes")
            }
            found.layout = name
        }
        let orders = ChannelOrder.allCases.map(\.rawValue)
        found.order = try word(fields["order"], "order", of: orders).flatMap { ChannelOrder(rawValue: $0) }
        let encodings = ProgrammeMetadata.Encoding.allCases.map(\.rawValue)
        found.encoding = try word(fields["encoding"], "encoding", of: encodings).flatMap { .init(rawValue: $0) }
        let contents = ProgrammeContent.allCases.map(\.rawValue)
        found.content = try word(fields["content"], "content", of: contents).flatMap { ProgrammeContent(rawValue: $0) }
        found.width = try number(fields["width"], "width", in: 0...180, unit: "degrees")
        if let place = fields["place"] { found.place = try self.place(place) }
        if let sound = fields["sound"] { found.sound = try self.sound(sound) }
        return found
    }

    private func sound(_ value: JSON) throws(ProgrammeMetadataError) -> ProgrammeMetadata.Sound {
        guard case .object(let fields) = value else { throw fault("sound", "must be an object with frames and sha256") }
        try refuseUnknown(fields, at: "sound.", known: ["frames", "sha256"])
        let frames = try number(fields["frames"], "sound.frames", in: 0...0x1p40, unit: "frames")
        guard let frames, frames == frames.rounded() else { throw fault("sound.frames", "must be a whole number") }
        guard case .text(let hash) = fields["sha256"] ?? .null, hash.count == 64, hash.allSatisfy(\.isHexDigit) else {
            throw fault("sound.sha256", "must be 64 hexadecimal digits")
        }
        return ProgrammeMetadata.Sound(frames: Int(frames), sha256: hash.lowercased())
    }

    private func place(_ value: JSON) throws(ProgrammeMetadataError) -> ProgrammeMetadata.Place {
        guard case .object(let fields) = value, !fields.isEmpty else {
            throw fault("place", "must be an object with yaw, pitch or roll")
        }
        try refuseUnknown(fields, at: "place.", known: ["pitch", "roll", "yaw"])
        return ProgrammeMetadata.Place(
            yaw: try number(fields["yaw"], "place.yaw", in: -180...180, unit: "degrees") ?? 0,
            pitch: try number(fields["pitch"], "place.pitch", in: -90...90, unit: "degrees") ?? 0,
            roll: try number(fields["roll"], "place.roll", in: -180...180, unit: "degrees") ?? 0)
    }

    private func number(
        _ value: JSON?, _ key: String, in range: ClosedRange<Double>, unit: String
    ) throws(ProgrammeMetadataError) -> Double? {
        guard let value else { return nil }
        guard case .number(let number) = value else { throw fault(key, "must be a number (\(unit))") }
        guard range.contains(number) else {
            throw fault(key, "is \(number), outside \(Int(range.lowerBound))…\(Int(range.upperBound)) \(unit)")
        }
        return number
    }

    private func word(_ value: JSON?, _ key: String, of known: [String]) throws(ProgrammeMetadataError) -> String? {
        guard let value else { return nil }
        guard case .text(let text) = value, known.contains(text) else {
            throw fault(key, "must be one of \(known.map { "\"\($0)\"" }.joined(separator: ", "))")
        }
        return text
    }

    private func refuseUnknown(
        _ fields: [String: JSON], at key: String, known: [String]
    ) throws(ProgrammeMetadataError) {
        guard let stranger = fields.keys.filter({ !known.contains($0) }).min() else { return }
        throw fault(key + stranger, "is unknown; known keys: \(known.joined(separator: ", "))")
    }

    private func fault(_ key: String, _ reason: String) -> ProgrammeMetadataError {
        .invalid(source: source, key: key, reason: reason)
    }
}
