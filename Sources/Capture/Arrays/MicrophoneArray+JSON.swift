import Foundation
import Gate
import Geometry
import Soundstage

/// Custom arrays as JSON.
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
/// Positions are in metres from the centre, x front, y left, z up (−0.5…0.5). `axis` is a vector other than zero, which
/// may be missing for `"pressure": 1`. `pressure` is the proportion of pressure in the pattern (1 omnidirectional, 0.5
/// cardioid, 0 figure of eight); the default is 0.5. Unknown keys are errors.
extension MicrophoneArray {
    /// Greatest number of capsules of a custom array.
    package static let mostCapsules = 8

    /// Creates a built-in array by its name, or a custom array by the path of its description.
    ///
    /// - Parameter radius: radius of a built-in array, m; nil for `usualRadius`.
    /// - Throws: `unknownArray`, `radius`, `unreadable`, `notJSON`, `invalid` with the faulty key.
    package init(_ name: String, radius: Double? = nil) throws(CaptureError) {
        if let radius, !MicrophoneArray.radii.contains(radius) { throw .radius(radius) }
        if let known = MicrophoneArray(named: name, radius: radius ?? MicrophoneArray.usualRadius) {
            self = known
            return
        }
        guard name.contains("/") || name.hasSuffix(".json") || FileManager.default.fileExists(atPath: name) else {
            throw .unknownArray(name)
        }
        do throws(JSONFile.Refusal) {
            self = try ArrayReader.array(try JSONFile.value(at: name, within: .written))
        } catch {
            throw CaptureError(error, in: name)
        }
    }

    /// Reads a description in UTF-8. `source`: name of the description in errors.
    package init(json bytes: [UInt8], source: String = "JSON") throws(CaptureError) {
        do throws(JSONFile.Refusal) {
            self = try ArrayReader.array(try JSONFile.value(of: bytes, within: .written))
        } catch {
            throw CaptureError(error, in: source)
        }
    }
}

extension CaptureError {
    /// Converts the refusal of a JSON file. `source`: name of the file in errors.
    init(_ refusal: JSONFile.Refusal, in source: String) {
        switch refusal {
        case .unreadable(let reason): self = .unreadable(path: source, reason: reason)
        case .notJSON(let reason): self = .notJSON(source: source, reason: reason)
        case .invalid(let key, let reason): self = .invalid(source: source, key: key, reason: reason)
        }
    }
}

/// Parser for the description of an array.
private enum ArrayReader {
    static func array(_ value: JSONValue) throws(JSONFile.Refusal) -> MicrophoneArray {
        let file = try JSONFields(value, known: ["name", "capsules"])
        let name = try file.text("name")
        var capsules: [Capsule] = []
        for (index, entry) in try file.list("capsules", count: 2...MicrophoneArray.mostCapsules).enumerated() {
            let next = try capsule(entry, at: "capsules[\(index)]")
            if let twin = capsules.firstIndex(where: { $0.name == next.name }) {
                throw file.fault("capsules[\(index)].name", "'\(next.name)' is already the name of capsules[\(twin)]")
            }
            capsules.append(next)
        }
        return MicrophoneArray(name: name, kind: .capsules(capsules))
    }

    private static func capsule(_ value: JSONValue, at path: String) throws(JSONFile.Refusal) -> Capsule {
        let fields = try JSONFields(value, at: path, known: ["name", "position", "axis", "pressure"])
        let name = try fields.text("name")
        let isPortable = name.unicodeScalars.allSatisfy { $0.isASCII && $0.properties.isAlphabetic || "0"..."9" ~= $0 }
        guard isPortable, (1...16).contains(name.utf8.count) else {
            throw fields.fault("name", "must be 1 to 16 letters and digits, as it becomes a port name")
        }
        let position = try vector("position", of: fields, limit: 0.5)
        var pressure = 0.5
        if let given = fields["pressure"] {
            guard let share = given.number, (0...1).contains(share) else {
                throw fields.fault("pressure", "must be a number from 0 (figure of eight) to 1 (omnidirectional)")
            }
            pressure = share
        }
        guard fields["axis"] != nil || pressure < 1 else {
            return Capsule(name: name, position: position, axis: Direction(unit: SIMD3(1, 0, 0)), pressure: 1)
        }
        let axis = try vector("axis", of: fields, limit: 1e6)
        let length = (axis * axis).sum().squareRoot()
        guard length > 1e-9 else { throw fields.fault("axis", "must not be zero") }
        return Capsule(name: name, position: position, axis: Direction(unit: axis / length), pressure: pressure)
    }

    private static func vector(
        _ key: String, of fields: JSONFields, limit: Double
    ) throws(JSONFile.Refusal) -> SIMD3<Double> {
        guard let value = fields[key] else { throw fields.fault(key, "is missing") }
        guard case .list(let list) = value, list.count == 3 else { throw fields.fault(key, "must be [x, y, z]") }
        var result = SIMD3<Double>()
        for (index, entry) in list.enumerated() {
            guard let number = entry.number, abs(number) <= limit else {
                throw fields.fault("\(key)[\(index)]", "must be a number from \(-limit) to \(limit)")
            }
            result[index] = number
        }
        return result
    }
}
