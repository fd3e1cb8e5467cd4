import Foundation
import Gate

extension JSONValue {
    /// Why a file is not read as JSON, without its path.
    package struct Refusal: Error, Sendable {
        /// What is wrong.
        package let reason: String
        /// Whether the system refuses it; else it is what stands in it.
        package let isOfSystem: Bool
    }

    /// Reads JSON, within bounds; nil for what is none, or goes beyond them.
    package init?(parsing text: String, within bounds: JSONBounds = .session) {
        let bytes = Array(text.utf8)
        guard bounds.excess(in: bytes) == nil,
            let value = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes))
        else { return nil }
        self = value
    }

    /// Reads a file of JSON, within bounds.
    package init(contentsOf path: String, within bounds: JSONBounds = .session) throws(Refusal) {
        let bytes: [UInt8]
        do throws(BoundedFile.Refusal) { bytes = try BoundedFile.bytes(of: path, most: bounds.bytes) } catch {
            if case .tooLong = error { throw Refusal(reason: error.description, isOfSystem: false) }
            throw Refusal(reason: error.description, isOfSystem: true)
        }
        if let excess = bounds.excess(in: bytes) { throw Refusal(reason: excess, isOfSystem: false) }
        do { self = try JSONDecoder().decode(JSONValue.self, from: Data(bytes)) } catch {
            throw Refusal(reason: "it is not JSON", isOfSystem: false)
        }
    }
}
