import Loading

/// The headphones' sink, as chosen by `desktop on`.
package struct DesktopOutput: Hashable, Sendable, Codable {
    /// PipeWire's name of the sink.
    package var name: String
    /// Name for people.
    package var description: String
    /// The card's port that was active when the user named the sink; nil if the user named none, or if the card reports
    /// no active port.
    package var port: String?
    /// Whether the user has named this sink as the headphones. If not, PipeWire had reported headphones at this sink.
    package var isByWord: Bool

    /// Creates a choice; see the properties.
    package init(name: String, description: String, port: String? = nil, isByWord: Bool = false) {
        (self.name, self.description, self.port, self.isByWord) = (name, description, port, isByWord)
    }

    /// Whether sound may be played to a sink now: it has this name, and is headphones according to PipeWire or to the
    /// user. If the card had an active port when the user named the sink, the user's statement is valid only while the
    /// same port is active, and thus not for the card's loudspeakers.
    package func permits(_ node: PipeWireGraph.Node, in graph: PipeWireGraph) -> Bool {
        guard node.name == name else { return false }
        if HeadphoneSign(of: node, in: graph).isHeadphones { return true }
        return isByWord && (port == nil || graph.activePort(of: node)?.name == port)
    }

    /// Chooses the headphones' sink.
    ///
    /// - Parameters:
    ///   - said: name, description or id of the sink that the user names as the headphones. Nil chooses the default
    ///     sink if PipeWire knows that this is headphones, else the only sink of which PipeWire knows this.
    ///   - graph: the present state of PipeWire.
    /// - Throws: `SessionError`, with the line to type: if no sink is known to be headphones, or several are; if `said`
    ///   names no sink, several, or a sink of this program.
    package static func find(_ said: String?, in graph: PipeWireGraph) throws(SessionError) -> DesktopOutput {
        let sinks = graph.sinks.filter { !isOwn($0.node) }
        if let said { return try find(said, among: sinks, in: graph) }
        let known = sinks.filter { HeadphoneSign(of: $0.node, in: graph).isHeadphones }
        if let usual = known.first(where: { $0.node.name == graph.defaultSink }) ?? (known.count == 1 ? known[0] : nil)
        {
            return DesktopOutput(name: usual.node.name, description: usual.node.description)
        }
        guard !sinks.isEmpty else {
            throw SessionError(
                .environment, "PipeWire has no sink yet; plug your headphones in; 'wpctl status' lists the sinks")
        }
        let lines = (known.isEmpty ? sinks : known).map { line(for: $0.node) }.joined(separator: ", or ")
        throw SessionError(
            .usage,
            known.isEmpty
                ? "no sink is known to be headphones, and nothing is played to loudspeakers unasked; name your "
                    + "headphones' sink: \(lines)"
                : "\(known.count) sinks are headphones; name the sink of yours: \(lines)")
    }

    private static func find(
        _ said: String, among sinks: [(id: Int, node: PipeWireGraph.Node)], in graph: PipeWireGraph
    ) throws(SessionError) -> DesktopOutput {
        if graph.nodes.contains(where: { isOwn($0.value) && names($0.value, $0.key, said) })
            || said.hasPrefix(DesktopSink.prefix)
        {
            throw SessionError(
                .usage,
                "'\(said)' is this program's own sink, which would feed its output back into its input; name your "
                    + "headphones' sink")
        }
        let found = sinks.filter { names($0.node, $0.id, said) }
        guard let one = found.first, found.count == 1 else {
            let lines = (found.isEmpty ? sinks : found).map { line(for: $0.node) }.joined(separator: ", or ")
            throw SessionError(
                .usage,
                found.isEmpty
                    ? "there is no sink '\(said)'"
                        + (lines.isEmpty ? "; 'wpctl status' lists the sinks" : "; these work: \(lines)")
                    : "\(found.count) sinks are called '\(said)'; these work: \(lines)")
        }
        return DesktopOutput(
            name: one.node.name, description: one.node.description, port: graph.activePort(of: one.node)?.name,
            isByWord: true)
    }

    /// Whether a node is a sink of this program.
    package static func isOwn(_ node: PipeWireGraph.Node) -> Bool {
        node.mediaClass == "Audio/Sink" && node.name.hasPrefix(DesktopSink.prefix)
    }

    private static func names(_ node: PipeWireGraph.Node, _ id: Int, _ said: String) -> Bool {
        node.name == said || node.description.lowercased() == said.lowercased() || said == "\(id)"
    }

    private static func line(for node: PipeWireGraph.Node) -> String {
        "'" + ShellLine(["proscenium", "desktop", "on", "--output", node.name]).text + "' (\(node.description))"
    }
}
