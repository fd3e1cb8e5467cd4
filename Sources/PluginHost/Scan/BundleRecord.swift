import Foundation

/// What is known of one bundle once it was described: as the scanning child says it, line by line, and as the cache
/// keeps it. The first line is the head, one for each plugin follow; a line is only understood when its plugin is asked
/// for.
package struct BundleRecord: Sendable {
    /// What is known of the bundle, with its plugins in a few words.
    package struct Head: Sendable, Codable {
        /// The bundle, by path.
        package var bundle: String
        /// Its plugins in a few words, in the order of the lines.
        package var plugins: [PluginSummary]
        /// Identifiers of plugins, of any bundles, of which it holds presets.
        package var presetOwners: [String]
        /// What is wrong with it as a whole; nil: nothing.
        package var fault: BundleFault?
        /// What the reader of its files complained of.
        package var words: [String]
    }

    /// The first line.
    package let head: Head
    /// The lines of the plugins.
    let lines: [Data]

    /// A bundle as described.
    init(bundle: String, plugins: [PluginDescription], presetOwners: [String] = [], words: [String]) {
        // The strategy takes all numbers, so that every description can be written.
        let lines = plugins.map { try? Self.encoder.encode($0) }
        head = Head(
            bundle: bundle, plugins: zip(plugins, lines).filter { $1 != nil }.map { PluginSummary($0.0) },
            presetOwners: presetOwners,
            fault: nil, words: words)
        self.lines = lines.compactMap(\.self)
    }

    /// A bundle that could not be described.
    init(bundle: String, fault: BundleFault, words: [String]) {
        head = Head(bundle: bundle, plugins: [], presetOwners: [], fault: fault, words: words)
        lines = []
    }

    /// From its lines behind the head; nil where they are not as many as its plugins.
    init?(_ head: Head, _ lines: some Collection<Data>) {
        guard lines.count == head.plugins.count else { return nil }
        self.head = head
        self.lines = Array(lines)
    }

    /// The head that a line says; nil where it says none.
    static func head(_ line: Data) -> Head? { try? decoder.decode(Head.self, from: line) }

    /// All of it, the head first.
    var allLines: [Data] { [(try? Self.encoder.encode(head)) ?? Data()] + lines }

    /// One of its plugins in full; nil where its line cannot be understood.
    func description(of identifier: String) -> PluginDescription? {
        guard let index = head.plugins.firstIndex(where: { $0.identifier == identifier }) else { return nil }
        let description = try? Self.decoder.decode(PluginDescription.self, from: lines[index])
        return description?.identifier == identifier ? description : nil
    }

    private static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return encoder
    }

    private static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return decoder
    }
}
