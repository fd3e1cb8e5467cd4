import Signal
import Synchronization

@testable import AudioIO

/// Audio server in memory, the counterpart of JACK. It has clients, ports and connections. The caller sets its time.
///
/// When the caller runs a cycle, its stages run the same cycle as JACK's clients. Calls trigger the incidents of a real
/// server, which are sent to the clients as events in order. For tests. Any thread; calls are serialised.
package final class MemoryServer: Sendable {
    /// Errors that the server throws.
    package typealias Refusals = MemoryRefusals

    let graph: Mutex<MemoryGraph>

    /// Makes a server with a sample rate, a period in frames, and one sound card. The sound card has two inputs,
    /// `system:playback_1` and `system:playback_2`.
    package init(sampleRate: SampleRate = .studio, period: Int = 256) {
        graph = Mutex(MemoryGraph(hertz: sampleRate.hertz, period: period))
        addClient("system", inputs: ["playback_1", "playback_2"], isPhysical: true)
    }

    // MARK: Clients

    /// Adds a client with these ports, for example a sound card (`isPhysical`), a recorder or a player.
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

    /// Removes a client with its ports and their connections.
    package func removeClient(_ name: String) {
        graph.withLock { graph in
            graph.remove(name)
            graph.arrived = graph.arrived.filter { !$0.key.hasPrefix(name + ":") }
            graph.programmes = graph.programmes.filter { !$0.key.hasPrefix(name + ":") }
            graph.tellChanges()
        }
    }

    /// Names of all clients.
    package var clients: [String] { graph.withLock { $0.clients } }

    /// Names of all ports, in no particular order.
    package var ports: [String] { graph.withLock { graph in graph.ports.values.map(\.name) } }

    /// All connections, in the order in which they were made.
    package var links: [JACKLink] { graph.withLock { $0.links } }

    /// Returns the state that a stage has published last.
    package func published(by client: String) -> String? {
        graph.withLock { graph in graph.stages.first { $0.name == client }?.published }
    }

    // MARK: Actions of other clients

    /// Connects two ports. Returns false if one is missing or has the wrong direction.
    @discardableResult
    package func connect(_ from: String, to: String) -> Bool {
        graph.withLock { graph in
            defer { graph.tellChanges() }
            return graph.make(JACKLink(from: from, to: to))
        }
    }

    /// Disconnects two ports. Returns false if they were not connected.
    @discardableResult
    package func disconnect(_ from: String, from to: String) -> Bool {
        graph.withLock { graph in
            defer { graph.tellChanges() }
            return graph.undo(JACKLink(from: from, to: to))
        }
    }

    /// Plays samples on another client's output from the next cycle on, then silence.
    package func play(_ samples: [Float], on port: String) {
        graph.withLock { $0.programmes[port] = samples[...] }
    }

    /// Returns the samples that another client's input has received since the last call.
    package func takeArrived(at port: String) -> [Float] {
        graph.withLock { graph in
            defer { graph.arrived[port] = [] }
            return graph.arrived[port] ?? []
        }
    }

    /// Returns the samples of a stage's two outputs since the last call, `[ear][frame]`.
    package func takeEars(of client: String) -> [[Float]] {
        graph.withLock { graph in
            guard let stage = graph.stages.first(where: { $0.name == client }) else { return [[], []] }
            return stage.cycles.takeEars()
        }
    }

    // MARK: Time

    /// Frame clock at the next cycle's first frame.
    package var frame: UInt32 { graph.withLock { $0.frame } }

    /// Host time at which the next cycle begins, seconds.
    package var seconds: Double { graph.withLock { $0.seconds } }

    /// Runs `cycles` cycles of the present period.
    package func run(cycles: Int = 1) {
        for _ in 0..<cycles { graph.withLock { $0.cycle() } }
    }

    /// Runs cycles for `seconds` seconds, rounded up to whole cycles.
    package func run(seconds: Double) {
        let cycles = graph.withLock { graph in
            Int((seconds * graph.hertz / Double(graph.period)).rounded(.up))
        }
        run(cycles: cycles)
    }

    /// Whether a stage has a pending start request.
    package var isAskedToStart: Bool { graph.withLock { graph in graph.stages.contains { $0.isAsked } } }

    /// Holds back the answers to start requests that were handled, or sends them if `isHolding` is false.
    package func holdAnswers(_ isHolding: Bool) {
        graph.withLock { graph in
            graph.holdsAnswers = isHolding
            for stage in graph.stages { stage.answer(holding: isHolding) }
        }
    }

    /// Sets whether the transport rolls, its frame and its tempo, from the next cycle on. If `frame` is nil, the frame
    /// stays unchanged. If `beatsPerMinute` is nil, the transport has no tempo.
    package func setTransport(isRolling: Bool, at frame: Int64? = nil, beatsPerMinute: Double? = nil) {
        graph.withLock {
            $0.transport = ServerTransport(
                frame: frame ?? $0.transport.frame, isRolling: isRolling, beatsPerMinute: beatsPerMinute)
        }
    }

    /// Sets the number of frames from the start of a cycle until its first frame is heard.
    package func setPlaybackLatency(_ frames: Int) { graph.withLock { $0.playbackLatency = frames } }
}
