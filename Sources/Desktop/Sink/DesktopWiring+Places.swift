/// Moves programs' streams to the sinks that the rules choose, and sets the volumes of the further sinks.
extension DesktopWiring {
    /// Returns the index of the sink to which the rules send a stream. It is that of the main sink if the session's
    /// input that the rules choose has no sink.
    func goal(of stream: PipeWireGraph.Node) -> Int {
        let input = rules.decision(for: stream).input
        return sinks.firstIndex { $0.input == input } ?? 0
    }

    /// Returns the requests to move streams to the sinks that the rules choose.
    ///
    /// A rule for an application moves its streams from any sink. The other rules move a stream only from the main
    /// sink, or if a rule has placed it before. A stream in any other sink stays there, because the user or the program
    /// has chosen that sink. Each decision is requested once. A stream that the user moves afterwards stays where it is
    /// until its rule changes or the session starts again.
    ///
    /// A request contains the sink's name, not its number. WirePlumber keeps a request by number for the program's next
    /// stream, but a sink that is created again has another number. A request by name is not kept. However, WirePlumber
    /// 0.4 then forgets the sink that the user had chosen for the program.
    ///
    /// - Parameter now: monotonic time, seconds.
    mutating func places(in graph: PipeWireGraph, at now: Double) -> [Step] {
        placed = placed.filter { graph.nodes[$0.key] != nil }
        let ready = ready(in: graph)
        guard let main = ready[0] else { return [] }
        let own = Set(ready.compactMap(\.self))
        var sinksOfStream: [Int: Set<Int>] = [:]
        for link in graph.links.values { sinksOfStream[link.outputNode, default: []].insert(link.inputNode) }
        var steps: [Step] = []
        let earlier = unmet
        unmet = [:]
        for (id, node) in graph.nodes.sorted(by: { $0.key < $1.key }) where node.isStream && node.isLinkedByManager {
            guard let here = sinksOfStream[id] else { continue }
            let former = placed[id] ?? requestedSink(of: id, in: graph)
            let decision = rules.decision(for: node)
            if isUnmet(id, of: node, at: here, ready, in: graph) {
                let since = earlier[id] ?? now
                guard now >= since + Self.patienceForRequests else {
                    unmet[id] = since
                    continue
                }
                let goal = goal(of: node)
                placed[id] = sinks[goal].name
                steps.append(.place(stream: id, sink: nil))
                if goal != 0 || decision.isOfApplication { steps.append(.place(stream: id, sink: sinks[goal].name)) }
                continue
            }
            if !decision.isOfApplication {
                // A stream of a group, such as an equaliser's, is not moved: it carries the sound of other programs.
                guard node.group == nil, !here.isDisjoint(with: own), here.contains(main) || former != nil else {
                    continue
                }
            }
            let goal = goal(of: node)
            guard let there = ready[goal], former != sinks[goal].name else { continue }
            placed[id] = sinks[goal].name
            guard !here.contains(there) else { continue }
            let isReturn = goal == 0 && !decision.isOfApplication
            steps.append(.place(stream: id, sink: isReturn ? nil : sinks[goal].name))
        }
        return steps
    }

    /// Whether a former session's request for a stream is still to be carried out. This session has requested no sink
    /// for the stream, and the stream is not in the sink that the rules choose. Either the requested sink does not
    /// exist any more, or the session manager has not carried out the request since the sink was created again.
    /// WirePlumber 0.4 may then leave the stream in its present sink until the request changes.
    private func isUnmet(
        _ stream: Int, of node: PipeWireGraph.Node, at here: Set<Int>, _ ready: [Int?], in graph: PipeWireGraph
    ) -> Bool {
        guard placed[stream] == nil, let name = graph.targets[stream], name.hasPrefix(DesktopSink.prefix) else {
            return false
        }
        let goal = goal(of: node)
        let isOfOther = !sinks.contains { $0.name == name } && graph.sinks.contains { $0.node.name == name }
        guard !isOfOther, let there = ready[goal], !here.contains(there) else { return false }
        return name == sinks[goal].name || !sinks.contains { $0.name == name }
    }

    /// Name of the own sink that a former session has requested for a stream; nil without one.
    private func requestedSink(of stream: Int, in graph: PipeWireGraph) -> String? {
        guard let name = graph.targets[stream], sinks.contains(where: { $0.name == name }) else { return nil }
        return name
    }

    /// Returns the steps that remove surplus links of streams. A link is surplus if the session manager has linked the
    /// stream both to the sink that the rules choose and, by this link, to another sink, and if this has been so for
    /// `patienceForRequests`.
    ///
    /// WirePlumber 0.4 leaves the former links if a sink appears while it links a stream to another sink. Links that
    /// the user made belong to another client, or to none, and are not removed. If another sink is requested for a
    /// stream, all its links stay.
    ///
    /// - Parameter now: monotonic time, seconds.
    mutating func leftLinks(in graph: PipeWireGraph, at now: Double) -> [Step] {
        let ready = ready(in: graph)
        let audioSinks = Set(graph.sinks.map(\.id))
        let earlier = leftOver
        leftOver = [:]
        for links in Dictionary(grouping: graph.links, by: { $0.value.outputNode }).values {
            let stream = links[0].value.outputNode
            guard let node = graph.nodes[stream], node.isStream, node.isLinkedByManager,
                let there = ready[goal(of: node)], !isRequested(stream, elsewhereThan: there, in: graph),
                let manager = links.first(where: { $0.value.inputNode == there })?.value.client
            else { continue }
            for (id, link) in links
            where link.client == manager && link.inputNode != there && audioSinks.contains(link.inputNode) {
                leftOver[id] = earlier[id] ?? now
            }
        }
        return leftOver.filter { now >= $0.value + Self.patienceForRequests }.keys.sorted().map { .unlink($0) }
    }

    /// Whether another sink is requested for a stream, as after a move by the user.
    private func isRequested(_ stream: Int, elsewhereThan sink: Int, in graph: PipeWireGraph) -> Bool {
        guard let target = graph.targets[stream] else { return false }
        return graph.sinks.contains { other in
            other.id != sink && (other.node.name == target || other.node.serial.map { "\($0)" } == target)
        }
    }

    /// Returns the steps that give the volume of the main sink to the further sinks, when that volume changes or a sink
    /// appears. The desktop's volume keys thus act on the programs of all these sinks. A volume that the user sets for
    /// a further sink stays until then.
    mutating func setLevels(in graph: PipeWireGraph) -> [Step] {
        levels = levels.filter { graph.nodes[$0.key] != nil }
        let ids = ids(in: graph)
        guard let main = ids[0].flatMap({ graph.nodes[$0]?.level }) else { return [] }
        var steps: [Step] = []
        for id in ids.dropFirst().compactMap(\.self) {
            guard let present = graph.nodes[id]?.level else { continue }
            let wanted = main.fitted(to: present.channels.count)
            guard levels[id] != wanted else { continue }
            levels[id] = wanted
            if present != wanted { steps.append(.setLevel(sink: id, wanted)) }
        }
        return steps
    }
}
