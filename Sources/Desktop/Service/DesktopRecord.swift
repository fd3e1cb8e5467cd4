import Foundation
import Gate
import Loading

/// Settings of `desktop on`, in force until `desktop off`: a JSON file in the folder of the program's state.
package struct DesktopRecord: Hashable, Sendable, Codable {
    /// Name of the sink's layout.
    package var layout: String
    /// The headphones.
    package var output: DesktopOutput
    /// Words with which the service starts this program. Earlier versions wrote all options of the session here.
    package var words: [String]
    /// Further inputs of the session, as values of `run --input`; nil in older files, which have the inputs in `words`.
    package var inputs: [String]?
    /// Arguments of `desktop on`, as the user typed them.
    package var typed: [String] = []
    /// Kind of the service.
    package var service: Kind
    /// Whether the sink is to be the default sink.
    package var isDefault = false
    /// The default sink that the program chose for the user; nil if it chose none.
    package var placedDefault: String?
    /// The default sink that the user had chosen before; nil without a choice.
    package var formerDefault: String?

    /// Kind of a service.
    package enum Kind: String, Hashable, Sendable, Codable {
        /// A unit of the user's systemd.
        case systemd
        /// A process of its own.
        case process
    }

    /// Folder in which `desktop on` was typed. Relative paths in the arguments refer to it. Nil in older files.
    package var place: String?

    /// Name of the session that plays the sink.
    package static let session = "proscenium-desktop"

    /// Creates a record; see the properties.
    package init(
        layout: String, output: DesktopOutput, words: [String], inputs: [String]? = nil, typed: [String] = [],
        service: Kind, isDefault: Bool = false,
        placedDefault: String? = nil, formerDefault: String? = nil, place: String? = nil
    ) {
        (self.inputs, self.place) = (inputs, place)
        (self.layout, self.output, self.words, self.typed, self.service) = (layout, output, words, typed, service)
        (self.isDefault, self.placedDefault, self.formerDefault) = (isDefault, placedDefault, formerDefault)
    }

    /// Further inputs of the session, as values of `run --input`.
    package var inputsInForce: [String] {
        inputs ?? zip(words, words.dropFirst()).filter { $0.0 == "--input" }.map { $0.1 }
    }

    /// The sinks that the session plays: that of the layout, then one for each further input.
    ///
    /// - Throws: an error if there is no sink for the layout or for an input.
    package var sinks: [DesktopSink] {
        get throws(SessionError) {
            var sinks = [try DesktopSink(layout: layout)]
            for input in inputsInForce { sinks.append(try DesktopSink(input: String(input.prefix { $0 != "=" }))) }
            return sinks
        }
    }

    /// Command line that sets up the same again.
    package var line: String { ShellLine(["proscenium", "desktop", "on"] + typed).text }

    /// Path of the file in the folder of the program's state.
    package static func path(in folder: String) -> String { folder + "/desktop.json" }

    /// Reads the file; nil without one.
    ///
    /// - Throws: `SessionError` if the file is not as this version writes it.
    package init?(in folder: String) throws(SessionError) {
        let path = Self.path(in: folder)
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let bytes = try? BoundedFile.bytes(of: path, most: JSONBounds.session.bytes),
            let record = try? JSONValue.decode(Self.self, from: bytes, within: .session)
        else {
            throw SessionError(
                .input, "\(path) is not as this version writes it; remove it, and type 'proscenium desktop on'")
        }
        self = record
    }

    /// Writes the file, whole or not at all.
    package func write(in folder: String) throws(SessionError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try (encoder.encode(self) + Data("\n".utf8)).write(
                to: URL(fileURLWithPath: Self.path(in: folder)), options: .atomic)
        } catch {
            throw SessionError(
                .environment, "\(Self.path(in: folder)) cannot be written: \(error.localizedDescription)")
        }
    }

    /// Removes the file.
    package static func remove(in folder: String) { unlink(path(in: folder)) }
}
