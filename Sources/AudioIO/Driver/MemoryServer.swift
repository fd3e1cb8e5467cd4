import Signal
import Synchronization

/// An audio server in memory, the twin of JACK: clients, ports and connections as there, and time in the caller's hand.
///
/// Stages opened here run the same cycle as JACK's clients do, when the caller says so; what happens to a real server
/// is done to this one by a call, and told to its clients in order. For tests. Any thread; one call at a time is
/// carried out.
package final class MemoryServer: Sendable {
    /// What the server refuses, and how.
    package typealias Refusals = MemoryRefusals

    let graph: Mutex<MemoryGraph>

    /// A server at a rate with a period in frames, and one sound card with two inputs for sound, `system:playback_1`
    /// and `_2`.
    package init(sampleRate: SampleRate = .studio, period: Int = 256) {
        graph = Mutex(MemoryGraph(hertz: sampleRate.hertz, period: period))
        addClient("system", inputs: ["playback_1", "playback_2"], isPhysical: true)
    }

    // MARK: Its clients

    /// Another client comes, with these ports: a sound card (`isPhysical`), a recorder, a player.
    package func addClient(
        _ name: String, inputs: [String] = [], outputs: [String] = [], isPhysical: Bool = false
    ) {
        graph.withLock { graph in
            graph.clients.append(name)
            for port in inputs {
                graph.register("\(name):\(port)", isInput: true, isPhysical: isPhysical)
                graph.arrived["\(name):\(port)"] = []
            }
            for port in outputs { graph.register("\(name):\(port)", isInput: false, isPhysical: isPhysical) }
        }
    }

    /// A client goes, and with it its ports and their connections.
    package func removeClient(_ name: String) {
        graph.withLock { graph in
            graph.remove(name)
            graph.arrived = graph.arrived.filter { !$0.key.hasPrefix(name + ":") }
            graph.programmes = graph.programmes.filter { !$0.key.hasPrefix(name + ":") }
            graph.tellChanges()
        }
    }

    /// Names of the clients that are there.
    package var clients: [String] { graph.withLock { $0.clients } }

    /// Names of the ports that are there, by no order.
    package var ports: [String] { graph.withLock { graph in graph.ports.values.map(\.name) } }

    /// All connections, in the order in which they were made.
    package var links: [JACKLink] { graph.withLock { $0.links } }

    /// What a stage last published of its state.
    package func published(by client: String) -> String? {
        graph.withLock { graph in graph.stages.first { $0.name == client }?.published }
    }

    // MARK: What others do

    /// Another client connects two ports; false where one is missing or of the wrong direction.
    @discardableResult
    package func connect(_ from: String, to: String) -> Bool {
        graph.withLock { graph in
            defer { graph.tellChanges() }
            return graph.make(JACKLink(from: from, to: to))
        }
    }

    /// Another client disconnects two ports; false where they were not connected.
    @discardableResult
    package func disconnect(_ from: String, from to: String) -> Bool {
        graph.withLock { graph in
            defer { graph.tellChanges() }
            return graph.undo(JACKLink(from: from, to: to))
        }
    }

    /// Another client plays these samples on its output from the next cycle on, and then silence.
    package func play(_ samples: [Float], on port: String) {
        graph.withLock { $0.programmes[port] = samples[...] }
    }

    /// What came to another client's input since this was last asked.
    package func takeArrived(at port: String) -> [Float] {
        graph.withLock { graph in
            defer { graph.arrived[port] = [] }
            return graph.arrived[port] ?? []
        }
    }

    /// What a stage's two ears played since this was last asked, `[ear][frame]`.
    package func takeEars(of client: String) -> [[Float]] {
        graph.withLock { graph in
            guard let stage = graph.stages.first(where: { $0.name == client }) else { return [[], []] }
            defer { stage.ears = [[], []] }
            return stage.ears
        }
    }

    // MARK: Time

    /// The clock at the next cycle's first frame.
    package var frame: UInt32 { graph.withLock { $0.frame } }

    /// Host seconds at which the next cycle begins.
    package var seconds: Double { graph.withLock { $0.seconds } }

    /// Runs so many cycles of the present period.
    package func run(cycles: Int = 1) {
        for _ in 0..<cycles { graph.withLock { $0.cycle() } }
    }

    /// Runs cycles for so many seconds of sound, the last of them whole.
    package func run(seconds: Double) {
        let cycles = graph.withLock { graph in
            Int((seconds * graph.hertz / Double(graph.period)).rounded(.up))
        }
        run(cycles: cycles)
    }

    /// Whether some stage waits for its start.
    package var isAskedToStart: Bool { graph.withLock { graph in graph.stages.contains { $0.isAsked } } }

    /// Keeps the answers to requests that cycles have served, or (false) gives them.
    package func holdAnswers(_ isHolding: Bool) {
        graph.withLock { graph in
            graph.holdsAnswers = isHolding
            for stage in graph.stages { stage.answer(holding: isHolding) }
        }
    }

    /// What the transport does from the next cycle on, where it is (nil: where it was), and at what tempo.
    package func setTransport(isRolling: Bool, at frame: Int64? = nil, beatsPerMinute: Double? = nil) {
        graph.withLock {
            $0.transport = ServerTransport(
                frame: frame ?? $0.transport.frame, isRolling: isRolling, beatsPerMinute: beatsPerMinute)
        }
    }

    /// Frames from the start of a cycle until its first frame is heard.
    package func setPlaybackLatency(_ frames: Int) { graph.withLock { $0.playbackLatency = frames } }
}
