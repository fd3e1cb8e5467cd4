import Foundation
import Gate

/// Record of a described bundle, as lines. The scanning child sends the lines, and the cache stores them. The first
/// line is the head. One line for each plugin follows. A line is decoded only when its plugin is needed.
package struct BundleRecord: Sendable {
    /// Facts on the bundle, with summaries of its plugins.
    package struct Head: Sendable, Codable {
        /// Path of the bundle.
        package var bundle: String
        /// Summaries of the bundle's plugins, in the order of the lines.
        package var plugins: [PluginSummary]
        /// Identifiers of all plugins, including those of other bundles, for which this bundle has presets.
        package var presetOwners: [String]
        /// Fault of the bundle as a whole; nil if there is none.
        package var fault: BundleFault?
        /// Lines that the reader of the bundle's files wrote to standard error.
        package var words: [String]
    }

    /// First line.
    package let head: Head
    /// Lines of the plugins.
    let lines: [Data]

    /// Creates the record of a described bundle.
    init(bundle: String, plugins: [PluginDescription], presetOwners: [String] = [], words: [String]) {
        // The encoder's strategy accepts all numbers, so that every description can be encoded.
        let lines = plugins.map { try? Self.encoder.encode($0) }
        head = Head(
            bundle: bundle, plugins: zip(plugins, lines).filter { $1 != nil }.map { PluginSummary($0.0) },
            presetOwners: presetOwners,
            fault: nil, words: words)
        self.lines = lines.compactMap(\.self)
    }

    /// Creates the record of a bundle that could not be described.
    init(bundle: String, fault: BundleFault, words: [String]) {
        head = Head(bundle: bundle, plugins: [], presetOwners: [], fault: fault, words: words)
        lines = []
    }

    /// Creates a record from a head and lines; nil if the number of lines differs from the number of plugins.
    init?(_ head: Head, _ lines: some Collection<Data>) {
        guard lines.count == head.plugins.count else { return nil }
        self.head = head
        self.lines = Array(lines)
    }

    /// Decodes a line as a head; nil if it is not a head.
    static func head(_ line: Data) -> Head? { try? decoded(Head.self, from: line) }

    /// All lines, the head first.
    var allLines: [Data] { [(try? Self.encoder.encode(head)) ?? Data()] + lines }

    /// Returns the description of one plugin; nil if there is no such plugin, or if its line cannot be decoded.
    func description(of identifier: String) -> PluginDescription? {
        guard let index = head.plugins.firstIndex(where: { $0.identifier == identifier }) else { return nil }
        let description = try? Self.decoded(PluginDescription.self, from: lines[index])
        return description?.identifier == identifier ? description : nil
    }

    private static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return encoder
    }

    private static func decoded<Value: Decodable>(_ type: Value.Type, from line: Data) throws -> Value {
        try JSONValue.decode(type, from: line, within: .child, hasInfinities: true)
    }
}
