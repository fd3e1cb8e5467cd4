import Foundation
import Gate

/// Content of `controls.json` in a saved state. It suffices to restore the settings of a plugin if the plugin's own
/// state is missing.
struct SavedControls: Codable, Sendable {
    /// Name of the file in the folder.
    static let file = "controls.json"
    /// Identifier of the plugin.
    var identifier: String
    /// Values of the controls, by symbol.
    var controls: [String: Float]
    /// Values of the properties that the plugin had reported, or that were set, by identifier.
    var properties: [String: PropertyValue]

    /// Writes the file into a folder.
    func write(to folder: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(self).write(to: URL(fileURLWithPath: folder + "/" + Self.file))
    }

    /// Reads the file from a folder.
    static func read(from folder: String) throws -> SavedControls {
        let bytes = try BoundedFile.bytes(of: folder + "/" + Self.file, most: JSONBounds.session.bytes)
        return try JSONValue.decode(SavedControls.self, from: bytes, within: .session)
    }
}
