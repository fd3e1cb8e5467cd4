/// A program's stream, its way to the ears by the rules, and the sinks that it plays to, for people and programs.
package struct ListedStream: Hashable, Sendable, Encodable {
    /// Its number in PipeWire.
    package var number: Int
    /// Name of its application, by which a rule is made; without control characters.
    package var application: String
    /// Its role; nil without one.
    package var role: String?
    /// Number of its channels; nil if unknown.
    package var channels: Int?
    /// The way by the rules; nil: that of the main sink.
    package var way: String?
    /// Name of the session's input to which the rules send it.
    package var input: String
    /// The rule that decides, in words.
    package var reason: String
    /// Names of the sinks that it plays to, in their order.
    package var sinks: [String]

    /// Lists the streams in a graph, by their numbers. Names come from other programs, and are shown on terminals.
    package static func all(in graph: PipeWireGraph, by rules: StreamRules) -> [ListedStream] {
        let streams = graph.nodes.filter { $0.value.isStream }.sorted { $0.key < $1.key }
        return streams.map { id, node in
            let decision = rules.decision(for: node)
            let heads = Set(graph.links.values.filter { $0.outputNode == id }.map(\.inputNode))
            let names = [node.application, node.binary, node.name]
            return ListedStream(
                number: id, application: plain(names.first { !$0.isEmpty } ?? ""),
                role: node.role.isEmpty ? nil : plain(node.role), channels: node.channels,
                way: decision.way?.rawValue, input: decision.input, reason: plain(decision.reason.words),
                sinks: heads.sorted().compactMap { graph.nodes[$0].map { plain($0.name) } })
        }
    }

    /// Name of the session's input to whose sink it plays; nil where it plays elsewhere.
    package var present: String? {
        let mark = DesktopSink.prefix + "input."
        guard let own = sinks.first(where: { $0.hasPrefix(DesktopSink.prefix) }) else { return nil }
        return own.hasPrefix(mark) ? String(own.dropFirst(mark.count)) : "main"
    }

    /// Returns a text of another program in one line, of at most 80 characters.
    static func plain(_ text: String) -> String {
        let scalars = text.unicodeScalars.prefix(80).map { scalar -> Character in
            let kind = scalar.properties.generalCategory
            return kind == .control || kind == .format ? " " : Character(scalar)
        }
        return String(scalars)
    }
}
