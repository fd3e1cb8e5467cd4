import Foundation
import Gate

/// JSON format of the metadata.
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
/// All keys are optional. `place` needs at least one of its three keys, `sound` needs both. Unknown keys are errors, so
/// that a typing error is reported.
extension ProgrammeMetadata {
    /// Returns the metadata beside a sound file; nil if there is no metadata file, and for standard input (`-`).
    ///
    /// - Throws: `unreadable`, `notJSON`, or `invalid` with the faulty key.
    package static func beside(file path: String) throws(ProgrammeMetadataError) -> ProgrammeMetadata? {
        guard path != "-" else { return nil }
        let path = self.path(besideFile: path)
        guard access(path, F_OK) == 0 else { return nil }
        return try ProgrammeMetadata(jsonAt: path)
    }

    /// Reads a JSON file.
    ///
    /// - Throws: `unreadable`, `notJSON`, or `invalid` with the faulty key.
    package init(jsonAt path: String) throws(ProgrammeMetadataError) {
        do throws(JSONFile.Refusal) {
            self = try MetadataReader.metadata(try JSONFile.value(at: path, within: .written))
        } catch {
            throw ProgrammeMetadataError(error, in: path)
        }
    }

    /// Reads JSON in UTF-8. `source` is the name of the text in errors.
    package init(json bytes: [UInt8], source: String = "JSON") throws(ProgrammeMetadataError) {
        do throws(JSONFile.Refusal) {
            self = try MetadataReader.metadata(try JSONFile.value(of: bytes, within: .written))
        } catch {
            throw ProgrammeMetadataError(error, in: source)
        }
    }

    /// The metadata as JSON in UTF-8, with the keys in alphabetical order. `init(jsonAt:)` can read it.
    package var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Finite numbers and texts can always be encoded. Numbers that are not finite are invalid metadata and give an
        // empty object.
        guard let bytes = try? encoder.encode(self) else { return Array("{}\n".utf8) }
        return Array(bytes) + [UInt8(ascii: "\n")]
    }
}

extension ProgrammeMetadataError {
    /// Makes the error for a file that was refused.
    fileprivate init(_ refusal: JSONFile.Refusal, in source: String) {
        switch refusal {
        case .unreadable(let reason): self = .unreadable(path: source, reason: reason)
        case .notJSON(let reason): self = .notJSON(source: source, reason: reason)
        case .invalid(let key, let reason): self = .invalid(source: source, key: key, reason: reason)
        }
    }
}

/// Parser of a metadata file.
private enum MetadataReader {
    static func metadata(_ value: JSONValue) throws(JSONFile.Refusal) -> ProgrammeMetadata {
        let fields = try JSONFields(
            value,
            known: [
                "content", "dialnorm", "drc", "encoding", "layout", "loudness", "loudnessRange", "order", "place",
                "sound", "truePeak", "width",
            ])
        var found = ProgrammeMetadata()
        // The ranges contain all values of the meter, also of samples far beyond full scale.
        found.loudness = try fields.number("loudness", in: -1000...150, unit: "LUFS")
        found.loudnessRange = try fields.number("loudnessRange", in: 0...70, unit: "LU")
        found.truePeak = try fields.number("truePeak", in: -1000...130, unit: "dBTP")
        if let dialnorm = try fields.number("dialnorm", in: -31...0, unit: "dB") {
            guard let whole = Int(exactly: dialnorm) else {
                throw fields.fault("dialnorm", "must be a whole number, −31 to −1")
            }
            found.dialnorm = whole == 0 ? -31 : whole
        }
        let profiles = CompressionProfile.allCases.map(\.word)
        found.drc = try fields.word("drc", of: profiles).flatMap { CompressionProfile(word: $0) }
        if fields["layout"] != nil { found.layout = try fields.text("layout") }
        let orders = ChannelOrder.allCases.map(\.rawValue)
        found.order = try fields.word("order", of: orders).flatMap { ChannelOrder(rawValue: $0) }
        let encodings = ProgrammeMetadata.Encoding.allCases.map(\.rawValue)
        found.encoding = try fields.word("encoding", of: encodings).flatMap { .init(rawValue: $0) }
        let contents = ProgrammeContent.allCases.map(\.rawValue)
        found.content = try fields.word("content", of: contents).flatMap { ProgrammeContent(rawValue: $0) }
        found.width = try fields.number("width", in: 0...180, unit: "degrees")
        if let place = fields["place"] { found.place = try self.place(place) }
        if let sound = fields["sound"] { found.sound = try self.sound(sound) }
        return found
    }

    private static func sound(_ value: JSONValue) throws(JSONFile.Refusal) -> ProgrammeMetadata.Sound {
        let fields = try JSONFields(
            value, at: "sound", known: ["frames", "sha256"], kind: "an object with frames and sha256")
        let frames = try fields.number("frames", in: 0...0x1p40, unit: "frames")
        guard let frames, let frameCount = Int(exactly: frames) else {
            throw fields.fault("frames", "must be a whole number")
        }
        guard let hash = fields["sha256"]?.text, hash.count == 64, hash.allSatisfy(\.isHexDigit) else {
            throw fields.fault("sha256", "must be 64 hexadecimal digits")
        }
        return ProgrammeMetadata.Sound(frames: frameCount, sha256: hash.lowercased())
    }

    private static func place(_ value: JSONValue) throws(JSONFile.Refusal) -> ProgrammeMetadata.Place {
        let kind = "an object with yaw, pitch or roll"
        let fields = try JSONFields(value, at: "place", known: ["pitch", "roll", "yaw"], kind: kind)
        guard !fields.values.isEmpty else { throw .invalid(key: "place", reason: "must be \(kind)") }
        return ProgrammeMetadata.Place(
            yaw: try fields.number("yaw", in: -180...180, unit: "degrees") ?? 0,
            pitch: try fields.number("pitch", in: -90...90, unit: "degrees") ?? 0,
            roll: try fields.number("roll", in: -180...180, unit: "degrees") ?? 0)
    }
}
