import Foundation
import Gate
import Loading

/// Settings of `desktop on`, in force until `desktop off`: a JSON file in the folder of the program's state.
package struct DesktopRecord: Hashable, Sendable, Encodable {
    /// Name of the sink's layout.
    package var layout: String
    /// The headphones.
    package var output: DesktopOutput
    /// Further inputs of the session, as values of `run --input`.
    package var inputs: [String]
    /// Options of `run` that the user typed with `desktop on`: their texts by name, several for a repeatable option.
    package var options: [String: [String]]
    /// Kind of the service.
    package var service: Kind
    /// Whether the sink is to be the default sink.
    package var isDefault: Bool
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

    /// Folder in which `desktop on` was typed. Relative paths in the options refer to it. Nil in older files.
    package var place: String?

    /// Name of the session that plays the sink.
    package static let session = "proscenium-desktop"

    /// Creates a record; see the properties.
    package init(
        layout: String, output: DesktopOutput, inputs: [String] = [], options: [String: [String]] = [:],
        service: Kind, isDefault: Bool = false,
        placedDefault: String? = nil, formerDefault: String? = nil, place: String? = nil
    ) {
        (self.layout, self.output, self.inputs, self.options) = (layout, output, inputs, options)
        (self.service, self.isDefault, self.place) = (service, isDefault, place)
        (self.placedDefault, self.formerDefault) = (placedDefault, formerDefault)
    }

    /// The sinks that the session plays: that of the layout, then one for each further input.
    ///
    /// - Throws: an error if there is no sink for the layout or for an input.
    package var sinks: [DesktopSink] {
        get throws(SessionError) {
            var sinks = [try DesktopSink(layout: layout)]
            for input in inputs { sinks.append(try DesktopSink(input: String(input.prefix { $0 != "=" }))) }
            return sinks
        }
    }

    /// Command line that sets up the same again, for the user. None of the options is a flag.
    package var line: String {
        var words = ["proscenium", "desktop", "on"]
        if isDefault { words.append("--default") }
        if output.isByWord { words += ["--output", output.name] }
        for (name, texts) in options.sorted(by: { $0.key < $1.key }) {
            for text in texts { words += text.hasPrefix("-") ? ["--\(name)=\(text)"] : ["--\(name)", text] }
        }
        return ShellLine(words).text
    }

    /// Path of the file in the folder of the program's state.
    package static func path(in folder: String) -> String { folder + "/desktop.json" }

    /// Reads the file; nil without one. A file of an earlier version has the typed arguments in place of the options,
    /// and the first versions had the inputs in the service's command line; both are taken over.
    ///
    /// - Parameter read: returns the options of `run` among arguments of `desktop on`; called for a file of an earlier
    ///   version only.
    /// - Throws: `SessionError` if the file is not as this version or an earlier one writes it.
    package init?(
        in folder: String, takingOver read: (_ typed: [String]) -> [String: [String]]
    ) throws(SessionError) {
        let path = Self.path(in: folder)
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let bytes = try? BoundedFile.bytes(of: path, most: JSONBounds.session.bytes),
            let stored = try? JSONValue.decode(StoredRecord.self, from: bytes, within: .session),
            let inputs = stored.inputs ?? stored.formerInputs, let options = stored.options ?? stored.typed.map(read)
        else {
            throw SessionError(
                .input, "\(path) is not as this version writes it; remove it, and type 'proscenium desktop on'")
        }
        self.init(
            layout: stored.layout, output: stored.output, inputs: inputs, options: options, service: stored.service,
            isDefault: stored.isDefault, placedDefault: stored.placedDefault, formerDefault: stored.formerDefault,
            place: stored.place)
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

/// The file's content, as this version or an earlier one writes it.
private struct StoredRecord: Decodable {
    let layout: String
    let output: DesktopOutput
    let service: DesktopRecord.Kind
    let isDefault: Bool
    let placedDefault: String?
    let formerDefault: String?
    let place: String?
    /// Nil in files of the first versions.
    let inputs: [String]?
    /// Nil in files of earlier versions.
    let options: [String: [String]]?
    /// In files of earlier versions: the service's command line. The first versions wrote all options of the session
    /// into it, and all that was not derived from the other values is in `typed` too.
    let words: [String]?
    /// In files of earlier versions: arguments of `desktop on`.
    let typed: [String]?

    /// Further inputs in the service's command line of the first versions, which wrote each as two words.
    var formerInputs: [String]? {
        words.map { words in zip(words, words.dropFirst()).filter { $0.0 == "--input" }.map { $0.1 } }
    }
}
