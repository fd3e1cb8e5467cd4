/// A program's stream, how it reaches the ears by the rules (`StreamWay`), and the sinks to which it plays.
package struct ListedStream: Hashable, Sendable, Encodable {
    /// Number of the stream in PipeWire.
    package var number: Int
    /// Name of the application, for which a rule can be made; without control characters.
    package var application: String
    /// Role of the stream; nil without one.
    package var role: String?
    /// Number of channels; nil if unknown.
    package var channels: Int?
    /// The way to the ears by the rules; nil: as for the main sink.
    package var way: String?
    /// Name of the session's input to which the rules send the stream.
    package var input: String
    /// The rule that decides, in words.
    package var reason: String
    /// Names of the sinks to which the stream plays, in the order of their numbers.
    package var sinks: [String]

    /// Lists the streams in a graph, in the order of their numbers. Control characters in names are replaced, because
    /// the names come from other programs.
    package static func all(in graph: PipeWireGraph, by rules: StreamRules) -> [ListedStream] {
        let streams = graph.nodes.filter { $0.value.isStream }.sorted { $0.key < $1.key }
        return streams.map { id, node in
            let decision = rules.decision(for: node)
            let heads = Set(graph.links.values.filter { $0.outputNode == id }.map(\.inputNode))
            let names = [node.application, node.binary, node.name]
            return ListedStream(
                number: id, application: StreamRules.plain(names.first { !$0.isEmpty } ?? ""),
                role: node.role.isEmpty ? nil : StreamRules.plain(node.role), channels: node.channels,
                way: decision.way?.rawValue, input: decision.input, reason: StreamRules.plain(decision.reason.words),
                sinks: heads.sorted().compactMap { graph.nodes[$0].map { StreamRules.plain($0.name) } })
        }
    }

    /// Name of the session's input that receives the stream through its sink; nil if the stream plays to no sink of the
    /// session.
    package var present: String? {
        let mark = DesktopSink.prefix + "input."
        guard let own = sinks.first(where: { $0.hasPrefix(DesktopSink.prefix) }) else { return nil }
        return own.hasPrefix(mark) ? String(own.dropFirst(mark.count)) : "main"
    }
}
