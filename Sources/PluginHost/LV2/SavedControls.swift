import Foundation
import Gate

/// What `controls.json` in a saved state holds: enough to bring back how a plugin is set where its own state is
/// missing.
struct SavedControls: Codable, Sendable {
    /// The file's name in the folder.
    static let file = "controls.json"
    /// What it is the state of.
    var identifier: String
    /// Values of the controls, by symbol.
    var controls: [String: Float]
    /// Values of the properties it had told of, by identifier.
    var properties: [String: PropertyValue]

    /// Writes it into a folder.
    func write(to folder: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(self).write(to: URL(fileURLWithPath: folder + "/" + Self.file))
    }

    /// Reads it from a folder.
    static func read(from folder: String) throws -> SavedControls {
        let bytes = try BoundedFile.bytes(of: folder + "/" + Self.file, most: JSONBounds.session.bytes)
        guard JSONBounds.session.excess(in: bytes) == nil else { throw CocoaError(.fileReadTooLarge) }
        return try JSONDecoder().decode(SavedControls.self, from: Data(bytes))
    }
}
