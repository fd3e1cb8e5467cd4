import Foundation
import Gate
import Geometry
import Soundstage

/// Arrays of one's own, as JSON.
///
/// ```json
/// {
///     "name": "handheld",
///     "capsules": [
///         { "name": "FL", "position": [0.01, 0.02, 0], "axis": [1, 1, 0] },
///         { "name": "FR", "position": [0.01, -0.02, 0], "axis": [1, -1, 0], "pressure": 0.5 },
///         { "name": "B", "position": [-0.01, 0, 0.05], "axis": [-1, 0, 0], "pressure": 1 }
///     ]
/// }
/// ```
/// Positions are metres from the middle, x front, y left, z up (−0.5…0.5); `axis` is a direction of any length and may
/// be left out with `"pressure": 1`; `pressure` is the share of pressure in the pattern (1 omnidirectional, 0.5
/// cardioid, which is meant where nothing is said, 0 figure of eight). Unknown keys are errors.
extension MicrophoneArray {
    /// Capsules an array of one's own may have.
    package static let mostCapsules = 8

    /// A built-in array by its name, or one of one's own by the path of its description.
    ///
    /// - Parameter radius: of a built-in array, metres; nil for the usual one.
    /// - Throws: `unknownArray`, `radius`, `unreadable`, `notJSON`, `invalid` with the key at fault.
    package init(_ name: String, radius: Double? = nil) throws(CaptureError) {
        if let radius, !MicrophoneArray.radii.contains(radius) { throw .radius(radius) }
        if let known = MicrophoneArray(named: name, radius: radius ?? MicrophoneArray.usualRadius) {
            self = known
            return
        }
        guard name.contains("/") || name.hasSuffix(".json") || FileManager.default.fileExists(atPath: name) else {
            throw .unknownArray(name)
        }
        let bytes: [UInt8]
        do throws(BoundedFile.Refusal) {
            bytes = try BoundedFile.bytes(of: name, most: JSONBounds.written.bytes)
        } catch {
            throw .unreadable(path: name, reason: error.description)
        }
        try self.init(json: bytes, source: name)
    }

    /// Reads a description in UTF-8; `source` is what errors call it.
    package init(json bytes: [UInt8], source: String = "JSON") throws(CaptureError) {
        if let excess = JSONBounds.written.excess(in: bytes) { throw .notJSON(source: source, reason: excess) }
        let value: JSON
        do { value = try JSONDecoder().decode(JSON.self, from: Data(bytes)) } catch {
            throw .notJSON(source: source, reason: JSON.fault(in: bytes))
        }
        self = try ArrayReader(source: source).array(value)
    }
}

/// Walks the JSON and knows the path of every value it looks at.
private struct ArrayReader {
    let source: String

    func array(_ value: JSON) throws(CaptureError) -> MicrophoneArray {
        guard case .object(let fields) = value else { throw fault("the file", "must be an object { … }") }
        try refuseUnknown(fields, at: "", known: ["name", "capsules"])
        let name = try text(fields["name"], at: "name")
        guard case .list(let list) = fields["capsules"] else {
            throw fault("capsules", fields["capsules"] == nil ? "is missing" : "must be a list [ … ]")
        }
        guard (2...MicrophoneArray.mostCapsules).contains(list.count) else {
            throw fault("capsules", "must have 2 to \(MicrophoneArray.mostCapsules) entries, not \(list.count)")
        }
        var capsules: [Capsule] = []
        for (index, entry) in list.enumerated() {
            let next = try capsule(entry, at: "capsules[\(index)]")
            if let twin = capsules.firstIndex(where: { $0.name == next.name }) {
                throw fault("capsules[\(index)].name", "'\(next.name)' is already the name of capsules[\(twin)]")
            }
            capsules.append(next)
        }
        return MicrophoneArray(name: name, kind: .capsules(capsules))
    }

    private func capsule(_ value: JSON, at key: String) throws(CaptureError) -> Capsule {
        guard case .object(let fields) = value else { throw fault(key, "must be an object { … }") }
        try refuseUnknown(fields, at: key + ".", known: ["name", "position", "axis", "pressure"])
        let name = try text(fields["name"], at: key + ".name")
        let isPortable = name.unicodeScalars.allSatisfy { $0.isASCII && $0.properties.isAlphabetic || "0"..."9" ~= $0 }
        guard isPortable, (1...16).contains(name.utf8.count) else {
            throw fault(key + ".name", "must be 1 to 16 letters and digits, as it becomes a port name")
        }
        let position = try vector(fields["position"], at: key + ".position", limit: 0.5)
        var pressure = 0.5
        if let given = fields["pressure"] {
            guard case .number(let share) = given, (0...1).contains(share) else {
                throw fault(key + ".pressure", "must be a number from 0 (figure of eight) to 1 (omnidirectional)")
            }
            pressure = share
        }
        guard fields["axis"] != nil || pressure < 1 else {
            return Capsule(name: name, position: position, axis: Direction(unit: SIMD3(1, 0, 0)), pressure: 1)
        }
        let axis = try vector(fields["axis"], at: key + ".axis", limit: 1e6)
        let length = (axis * axis).sum().squareRoot()
        guard length > 1e-9 else { throw fault(key + ".axis", "must point somewhere") }
        return Capsule(name: name, position: position, axis: Direction(unit: axis / length), pressure: pressure)
    }

    private func vector(_ value: JSON?, at key: String, limit: Double) throws(CaptureError) -> SIMD3<Double> {
        guard let value else { throw fault(key, "is missing") }
        guard case .list(let list) = value, list.count == 3 else { throw fault(key, "must be [x, y, z]") }
        var result = SIMD3<Double>()
        for (index, entry) in list.enumerated() {
            guard case .number(let number) = entry, abs(number) <= limit else {
                throw fault("\(key)[\(index)]", "must be a number from \(-limit) to \(limit)")
            }
            result[index] = number
        }
        return result
    }

    private func text(_ value: JSON?, at key: String) throws(CaptureError) -> String {
        guard let value else { throw fault(key, "is missing") }
        guard case .text(let text) = value, !text.isEmpty else { throw fault(key, "must be a text in quotes") }
        return text
    }

    private func refuseUnknown(_ fields: [String: JSON], at key: String, known: [String]) throws(CaptureError) {
        guard let stranger = fields.keys.filter({ !known.contains($0) }).min() else { return }
        throw fault(key + stranger, "is unknown; known keys: \(known.joined(separator: ", "))")
    }

    private func fault(_ key: String, _ reason: String) -> CaptureError {
        .invalid(source: source, key: key, reason: reason)
    }
}
