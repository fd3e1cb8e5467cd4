/// Wiring of a session that plays the desktop's sinks: links from the sinks' monitor ports to the session's inputs,
/// links from the ears to the headphones, and the sink of each program's stream. The type examines the graph and
/// returns the changes to make; it changes nothing itself.
///
/// As soon as the session manager has taken over the sink (`ManagerWatch`), every missing link to an input is
/// requested. The ears are linked when the session, the headphones' sink or its headphone port appears. They are not
/// linked again if the user has unlinked them: the session's rules for a lost route then apply.
package struct DesktopWiring: Sendable {
    /// A change of PipeWire's graph, or a message to the user.
    package enum Step: Hashable, Sendable {
        /// Link an output port to an input port.
        case link(output: Int, input: Int)
        /// Remove a link.
        case unlink(Int)
        /// Create the sinks again.
        case renewSinks
        /// Stop PipeWire from spreading a stream over channels that the stream does not have.
        case keepChannels(stream: Int)
        /// Request that the session manager link a stream to the sink of this name; nil: withdraw the request.
        case place(stream: Int, sink: String?)
        /// Set the volume of a sink.
        case setLevel(sink: Int, SinkLevel)
        /// Show a message to the user.
        case say(String)
    }

    /// The sinks, that of the main input first.
    let sinks: [DesktopSink]
    /// The headphones.
    let output: DesktopOutput
    /// Process id of the session.
    let process: Int
    /// Pairs of ports for which a link was requested and which `answered` has not reported yet.
    private var requested: Set<Pair> = []
    /// Ids of the session and of the headphones' sink between which the ears were linked; nil if the ears are to be
    /// linked.
    private var joined: Pair?
    /// Whether the user has been told that the headphones' sink is not headphones now.
    private var toldOther = false
    /// Links into the own sinks that are being removed.
    private var undone: Set<Int> = []
    /// Streams that have been linked to an own sink, and whose channels are kept as they are.
    private var kept: Set<Int> = []
    /// Streams that should play to one of the sinks and have no links, and since when, seconds.
    private var loose: [Int: Double] = [:]
    /// `[sink]`: whether the session manager has taken the sink over.
    private var watches: [ManagerWatch]
    /// Rules that decide how the programs' streams reach the ears.
    var rules = StreamRules()
    /// Names of the sinks that streams were placed in, or found in, by the streams' ids.
    var placed: [Int: String] = [:]
    /// Streams for which a former session's request is not carried out yet, with the monotonic time at which this was
    /// first seen, seconds.
    var unmet: [Int: Double] = [:]
    /// Surplus links that the session manager has left (`leftLinks`): the monotonic time at which each was first seen,
    /// seconds, by the link's id.
    var leftOver: [Int: Double] = [:]
    /// Volumes that further sinks were given, by the sinks' ids.
    var levels: [Int: SinkLevel] = [:]
    /// Serial numbers of the nodes at the last look, by id: PipeWire gives an id that was freed to the next node.
    private var serials: [Int: Int] = [:]

    /// Time that the session manager has to link a stream again, seconds.
    private static let patience = 0.7
    /// Time that the session manager has to carry out a former session's request, seconds.
    static let patienceForRequests = 2.0

    /// Two ids.
    private struct Pair: Hashable {
        var from: Int, to: Int
    }

    /// Creates the wiring of a session's process, with the sink of the main input and those of further inputs.
    package init(_ sink: DesktopSink, beside others: [DesktopSink] = [], to output: DesktopOutput, process: Int) {
        (sinks, self.output, self.process) = ([sink] + others, output, process)
        watches = [ManagerWatch](repeating: ManagerWatch(), count: 1 + others.count)
    }

    /// Whether `look` must be called again soon even if the graph does not change.
    package var isWaiting: Bool {
        watches.contains(where: \.isWaiting) || !loose.isEmpty || !unmet.isEmpty || !leftOver.isEmpty
    }

    /// Returns the steps that the present graph requires. Call it for each state of the graph, and every 0.25 s while
    /// `isWaiting`. After a requested link was tried, call `answered`. `now`: monotonic time, seconds.
    package mutating func look(at graph: PipeWireGraph, now: Double) -> [Step] {
        for (id, node) in graph.nodes where serials[id].map({ $0 != node.serial }) ?? false {
            (placed[id], loose[id], unmet[id], levels[id]) = (nil, nil, nil, nil)
            kept.remove(id)
        }
        serials = graph.nodes.compactMapValues(\.serial)
        requested = requested.filter {
            graph.ports[$0.from] != nil && graph.ports[$0.to] != nil && !graph.hasLink($0.from, $0.to)
        }
        if seesNextManager(in: graph, at: now) {
            placed = [:]
            return [.renewSinks]
        }
        let streams =
            streams(in: graph) + places(in: graph, at: now) + leftLinks(in: graph, at: now) + setLevels(in: graph)
            + looseStreams(in: graph, at: now)
        guard let session = session(in: graph) else {
            joined = nil
            return streams
        }
        return streams + inputs(of: session, in: graph) + ears(of: session, in: graph) + loops(of: session, in: graph)
    }

    /// Records that another PipeWire server is running. The next graph is that of this server.
    package mutating func serverCame() {
        watches = [ManagerWatch](repeating: ManagerWatch(), count: sinks.count)
        (kept, loose, placed, unmet, leftOver, levels) = ([], [:], [:], [:], [:], [:])
    }

    /// Uses other rules from the next look on.
    package mutating func follow(_ rules: StreamRules) { self.rules = rules }

    /// Notes whether a requested link was made. Links that are missing at a later look are requested again; those of
    /// the ears only if one of them could not be made.
    package mutating func answered(output: Int, input: Int, isMade: Bool) {
        requested.remove(Pair(from: output, to: input))
        if !isMade { joined = nil }
    }

    /// Notes that `keepChannels` failed for a stream. It is requested again at a later look.
    package mutating func failed(stream: Int) { kept.remove(stream) }

    /// Notes that a stream could not be placed. This is requested again at a later look.
    package mutating func failed(placing stream: Int) { placed[stream] = nil }

    /// Notes that the volume of a sink could not be set. This is requested again at a later look.
    package mutating func failed(levelOf sink: Int) { levels[sink] = nil }

    /// Updates the watches. Returns whether the sinks must be created again.
    private mutating func seesNextManager(in graph: PipeWireGraph, at now: Double) -> Bool {
        var isNext = false
        for (index, id) in ready(in: graph).enumerated() {
            let isFed = graph.links.values.contains { $0.inputNode == id }
            if watches[index].see(graph.manager, sink: id, isFed: isFed, at: now) { isNext = true }
        }
        return isNext
    }

    /// `[sink]`: ids of the sinks in the graph; nil for a missing sink.
    func ids(in graph: PipeWireGraph) -> [Int?] {
        let all = graph.sinks
        return sinks.map { sink in all.first { $0.node.name == sink.name }?.id }
    }

    /// `[sink]`: ids of the sinks whose ports the session manager has made; nil for others.
    func ready(in graph: PipeWireGraph) -> [Int?] {
        ids(in: graph).map { id in id.flatMap { graph.ports(of: $0, isInput: true).isEmpty ? nil : $0 } }
    }

    /// Returns the steps for streams that were linked to a sink since the last look.
    ///
    /// They switch PipeWire's own upmix of the stream off. PipeWire would copy the channels of a stereo stream to the
    /// sides and backs of a 7.1 sink, and their common part to the centre.
    private mutating func streams(in graph: PipeWireGraph) -> [Step] {
        // PipeWire may give the number of a stream that has ended to a later stream.
        kept.formIntersection(graph.nodes.keys)
        let own = Set(ids(in: graph).compactMap(\.self))
        guard !own.isEmpty else { return [] }
        let present = Set(
            graph.links.values.filter { own.contains($0.inputNode) }.map(\.outputNode)
                .filter { graph.nodes[$0]?.mediaClass == "Stream/Output/Audio" })
        return present.sorted().filter { kept.insert($0).inserted }.map { .keepChannels(stream: $0) }
    }

    /// Returns the links for streams that should play to a sink and have had no links for `patience`.
    ///
    /// If WirePlumber 0.4 was killed, its successor does not link earlier streams again.
    private mutating func looseStreams(in graph: PipeWireGraph, at now: Double) -> [Step] {
        let linked = Set(graph.links.values.map(\.outputNode))
        let ids = ids(in: graph)
        guard watches[0].hasSink, let main = ids[0], let own = graph.nodes[main] else {
            loose = [:]
            return []
        }
        let here = graph.nodes.filter { id, node in
            !linked.contains(id) && (kept.contains(id) || isTarget((main, own), of: node, in: graph))
        }
        loose = loose.filter { here[$0.key] != nil }
        for stream in here.keys where loose[stream] == nil { loose[stream] = now }
        let late = loose.filter { now >= $0.value + Self.patience }.keys.sorted()
        return late.flatMap { stream in
            let index = graph.nodes[stream].map { goal(of: $0) } ?? 0
            let there = watches[index].hasSink ? ids[index] ?? main : main
            let inputs = graph.ports(of: there, isInput: true)
            let pairs = graph.ports(of: stream, isInput: false).compactMap { output in
                inputs.first { $0.port.channel == output.port.channel }.map { Pair(from: output.id, to: $0.id) }
            }
            return request(pairs, in: graph)
        }
    }

    /// Whether a stream should play to the own sink: it requests this sink by name or serial number; or this sink is
    /// the default, and the stream requests no sink, or one that does not exist.
    private func isTarget(
        _ own: (id: Int, node: PipeWireGraph.Node), of stream: PipeWireGraph.Node, in graph: PipeWireGraph
    ) -> Bool {
        guard stream.mediaClass == "Stream/Output/Audio", stream.isLinkedByManager else { return false }
        func isMeant(_ node: PipeWireGraph.Node) -> Bool {
            stream.target == node.name || stream.target == node.serial.map(String.init)
        }
        if stream.target != nil, let other = graph.sinks.first(where: { isMeant($0.node) }) {
            return other.id == own.id
        }
        return graph.defaultSink == own.node.name
    }

    /// The session's node: the node of its process that has the output `out_L`.
    private func session(in graph: PipeWireGraph) -> Int? {
        graph.nodes.filter { _, node in node.client.flatMap { graph.clients[$0] } == process }.keys.sorted().first {
            id in
            graph.ports.contains { $0.value.node == id && !$0.value.isInput && $0.value.name == "out_L" }
        }
    }

    private func inputPairs(of session: Int, from index: Int, in graph: PipeWireGraph) -> [Pair] {
        guard let own = ids(in: graph)[index] else { return [] }
        let monitors = graph.ports(of: own, isInput: false)
        let inputs = graph.ports(of: session, isInput: true)
        return sinks[index].channels.compactMap { position, input in
            guard let from = monitors.first(where: { $0.port.channel == position }),
                let to = inputs.first(where: { $0.port.name == input })
            else { return nil }
            return Pair(from: from.id, to: to.id)
        }
    }

    private mutating func inputs(of session: Int, in graph: PipeWireGraph) -> [Step] {
        var steps: [Step] = []
        for index in sinks.indices where watches[index].hasSink {
            let pairs = inputPairs(of: session, from: index, in: graph)
            steps += request(pairs, in: graph)
        }
        return steps
    }

    private mutating func request(_ pairs: [Pair], in graph: PipeWireGraph) -> [Step] {
        pairs.filter { !graph.hasLink($0.from, $0.to) && requested.insert($0).inserted }
            .map { .link(output: $0.from, input: $0.to) }
    }

    private mutating func ears(of session: Int, in graph: PipeWireGraph) -> [Step] {
        guard let phones = graph.sinks.first(where: { $0.node.name == output.name }) else {
            joined = nil
            return []
        }
        guard output.permits(phones.node, in: graph) else { return leave(phones, session, in: graph) }
        toldOther = false
        let ears = graph.ports(of: session, isInput: false)
        let taking = graph.ports(of: phones.id, isInput: true)
        let pairs = zip(["out_L", "out_R"], ["FL", "FR"]).enumerated().compactMap { index, ear -> Pair? in
            guard let from = ears.first(where: { $0.port.name == ear.0 }), !taking.isEmpty else { return nil }
            // A headset in telephone mode has one port, which gets both ears. Of a sink without FL and FR the first
            // ports are used.
            let to = taking.first { $0.port.channel == ear.1 } ?? taking[min(index, taking.count - 1)]
            return Pair(from: from.id, to: to.id)
        }
        guard pairs.count == 2, joined != Pair(from: session, to: phones.id) else { return [] }
        joined = Pair(from: session, to: phones.id)
        return request(pairs, in: graph)
    }

    /// Unlinks the ears from a sink that is not headphones now, for example if the headphones were unplugged and the
    /// card's loudspeakers play.
    private mutating func leave(
        _ phones: (id: Int, node: PipeWireGraph.Node), _ session: Int, in graph: PipeWireGraph
    ) -> [Step] {
        joined = nil
        var steps: [Step] = graph.links.filter { $0.value.outputNode == session && $0.value.inputNode == phones.id }
            .keys.sorted().map { .unlink($0) }
        guard !toldOther else { return steps }
        toldOther = true
        let port = graph.activePort(of: phones.node).map { " (active port: '\($0.description)')" } ?? ""
        steps.append(
            .say(
                "'\(phones.node.description)' is not known to be headphones now\(port); the ears are not connected to it"
            ))
        return steps
    }

    /// Returns the removal of links that feed the session's output back to its input: from the ears to one of the
    /// session's sinks, directly or through other sinks and pairs of streams that pass sound on.
    private mutating func loops(of session: Int, in graph: PipeWireGraph) -> [Step] {
        undone.formIntersection(graph.links.keys)
        let own = Set(ids(in: graph).compactMap(\.self))
        guard !own.isEmpty else { return [] }
        let closing = graph.links.filter { $0.value.outputNode == session }
            .filter { reaches(own, from: $0.value.inputNode, in: graph) }.keys.sorted()
            .filter { undone.insert($0).inserted }
        guard !closing.isEmpty else { return [] }
        return closing.map { .unlink($0) }
            + [
                .say(
                    "the ears were connected to '\(sinks[0].description)', which is a feedback loop; the connection was "
                        + "removed"
                )
            ]
    }

    /// Returns whether sound that enters a node reaches one of `goals`, through the monitor ports of sinks and through
    /// nodes of one group.
    private func reaches(_ goals: Set<Int>, from start: Int, in graph: PipeWireGraph) -> Bool {
        var (ahead, seen) = ([start], Set([start]))
        while let node = ahead.popLast() {
            if goals.contains(node) { return true }
            guard let here = graph.nodes[node] else { continue }
            var next: [Int] = []
            if let group = here.group { next += graph.nodes.filter { $0.value.group == group }.keys }
            if here.mediaClass == "Audio/Sink" || here.group != nil {
                next += graph.links.values.filter { $0.outputNode == node }.map(\.inputNode)
            }
            ahead += next.filter { seen.insert($0).inserted }
        }
        return false
    }
}
