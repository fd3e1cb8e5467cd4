/// A JSON file that comes from outside the program.
package enum JSONFile {
    /// Reason why a file is rejected, without its path.
    package enum Refusal: Error, Hashable, Sendable {
        /// The system cannot read the file.
        case unreadable(String)
        /// The text is not JSON, or exceeds its limits. The reason includes the position, except where the text as a
        /// whole is too long.
        case notJSON(String)
        /// A value is invalid. `key`: path of the value, for example `loudspeakers[3].azimuth`.
        case invalid(key: String, reason: String)

        /// Fault in words.
        package var reason: String {
            switch self {
            case .unreadable(let reason), .notJSON(let reason): reason
            case .invalid(let key, let reason): "\(key) \(reason)"
            }
        }
    }

    /// Reads a file.
    package static func value(at path: String, within bounds: JSONBounds) throws(Refusal) -> JSONValue {
        let bytes: [UInt8]
        do throws(BoundedFile.Refusal) { bytes = try BoundedFile.bytes(of: path, most: bounds.bytes) } catch {
            if case .tooLong = error { throw .notJSON(error.description) }
            throw .unreadable(error.description)
        }
        return try value(of: bytes, within: bounds)
    }

    /// Parses the bytes of a file.
    package static func value(
        of bytes: some Collection<UInt8>, within bounds: JSONBounds
    ) throws(Refusal) -> JSONValue {
        do throws(JSONFault) { return try JSONValue(bytes, within: bounds) } catch {
            throw .notJSON(error.description)
        }
    }
}

/// An object in a JSON file. Its position in the file, such as `loudspeakers[3]`, is stored, so that every error names
/// the faulty value.
package struct JSONFields {
    /// Values by their keys.
    package let values: [String: JSONValue]
    private let path: String

    /// Reads an object that may have only these keys.
    ///
    /// - Parameters:
    ///   - path: path of the object, for example `loudspeakers[3]`; empty for the whole file.
    ///   - kind: expected form, for the error message.
    package init(
        _ value: JSONValue, at path: String = "", known: [String], kind: String = "an object { … }"
    ) throws(JSONFile.Refusal) {
        guard case .object(let values) = value else {
            throw .invalid(key: path.isEmpty ? "the file" : path, reason: "must be \(kind)")
        }
        (self.values, self.path) = (values, path.isEmpty ? "" : path + ".")
        guard let stranger = values.keys.filter({ !known.contains($0) }).min() else { return }
        throw fault(stranger, "is unknown; known keys: \(known.joined(separator: ", "))")
    }

    /// Value of a key; nil if the key is missing.
    package subscript(_ key: String) -> JSONValue? { values[key] }

    /// Creates the error for the value of a key.
    package func fault(_ key: String, _ reason: String) -> JSONFile.Refusal {
        .invalid(key: path + key, reason: reason)
    }

    /// Returns a required text that is not empty and has at most `longest` bytes.
    package func text(_ key: String, longest: Int = 1 << 16) throws(JSONFile.Refusal) -> String {
        guard let value = values[key] else { throw fault(key, "is missing") }
        guard let text = value.text, !text.isEmpty else { throw fault(key, "must be a text in quotes") }
        guard text.utf8.count <= longest else { throw fault(key, "is longer than \(longest) bytes") }
        return text
    }

    /// Returns a number in a range; nil if the key is missing.
    package func number(
        _ key: String, in range: ClosedRange<Double>, unit: String
    ) throws(JSONFile.Refusal) -> Double? {
        guard let value = values[key] else { return nil }
        guard let number = value.number else { throw fault(key, "must be a number (\(unit))") }
        guard range.contains(number) else {
            func text(_ limit: Double) -> String { Int(exactly: limit).map(String.init) ?? String(limit) }
            throw fault(key, "is \(number), outside \(text(range.lowerBound))…\(text(range.upperBound)) \(unit)")
        }
        return number
    }

    /// Returns one of the known words; nil if the key is missing.
    package func word(_ key: String, of known: [String]) throws(JSONFile.Refusal) -> String? {
        guard let value = values[key] else { return nil }
        guard let text = value.text, known.contains(text) else {
            throw fault(key, "must be one of \(known.map { "\"\($0)\"" }.joined(separator: ", "))")
        }
        return text
    }

    /// Returns a required list whose number of entries is in `count`.
    package func list(_ key: String, count: ClosedRange<Int>) throws(JSONFile.Refusal) -> [JSONValue] {
        guard case .list(let list) = values[key] else {
            throw fault(key, values[key] == nil ? "is missing" : "must be a list [ … ]")
        }
        guard count.contains(list.count) else {
            throw fault(key, "must have \(count.lowerBound) to \(count.upperBound) entries, not \(list.count)")
        }
        return list
    }
}
