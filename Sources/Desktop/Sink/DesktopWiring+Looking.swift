/// Questions about the links, for a process other than the session's.
extension DesktopWiring {
    /// Whether all channels of a sink are linked to the inputs of a session.
    package static func hasInputs(_ sink: DesktopSink, in graph: PipeWireGraph) -> Bool {
        heard(sink, in: graph) == sink.channels.count
    }

    /// Whether both ears of a session are linked to the headphones' sink.
    package static func hasEars(to output: DesktopOutput, in graph: PipeWireGraph) -> Bool {
        Set(
            graph.links.values.filter { graph.nodes[$0.inputNode]?.name == output.name }
                .compactMap { graph.ports[$0.output]?.name }.filter { ["out_L", "out_R"].contains($0) }
        ).count == 2
    }

    /// Whether programs that play to sinks are heard at the headphones.
    package static func isComplete(_ sinks: [DesktopSink], _ output: DesktopOutput, in graph: PipeWireGraph) -> Bool {
        sinks.allSatisfy { hasInputs($0, in: graph) } && hasEars(to: output, in: graph)
    }

    /// Number of a sink's channels that are linked to the session's input for this channel.
    private static func heard(_ sink: DesktopSink, in graph: PipeWireGraph) -> Int {
        guard let own = graph.sinks.first(where: { $0.node.name == sink.name }) else { return 0 }
        let pairs = graph.links.values.filter { $0.outputNode == own.id }.compactMap { link -> String? in
            guard let from = graph.ports[link.output], let to = graph.ports[link.input] else { return nil }
            return "\(from.channel) \(to.name)"
        }
        return sink.channels.filter { pairs.contains("\($0.position) \($0.input)") }.count
    }
}
