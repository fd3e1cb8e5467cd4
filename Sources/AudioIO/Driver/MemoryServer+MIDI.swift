import CJACK
import Signal
import Synchronization

/// MIDI through stages in memory: at once, without a cycle.
extension MemoryServer {
    /// Another client sends a message to a stage's `events_in`; false where the stage has no such port, or no room.
    @discardableResult
    package func send(_ bytes: [UInt8], to client: String) -> Bool {
        graph.withLock { graph in
            guard let exchange = Self.exchange(of: client, in: graph), (1...56).contains(bytes.count) else {
                return false
            }
            defer { cjack_ring(exchange.pointee.bell) }
            return exchange.pointee.received.push(cjack_midi_message(bytes))
        }
    }

    /// What left by a stage's `events_out` since this was last asked.
    package func takeMessages(of client: String) -> [[UInt8]] {
        graph.withLock { graph in
            Self.exchange(of: client, in: graph)?.pointee.outgoing.drain().map(\.content) ?? []
        }
    }

    /// Another client's port is connected to a stage's `events_out`; false where the stage has no such port.
    @discardableResult
    package func listen(to client: String) -> Bool {
        let midi = graph.withLock { graph in
            graph.stages.first { $0.name == client }.flatMap { $0.exchange == nil ? nil : $0.midi }
        }
        midi?.announce()
        return midi != nil
    }

    private static func exchange(of client: String, in graph: MemoryGraph) -> ThreadOwned<MIDIExchange>? {
        graph.stages.first { $0.name == client }?.exchange
    }

    /// An active stage's messages pass from now on, where a client hears them.
    func attachMIDI(of client: String) {
        let midi = graph.withLock { graph -> StageMIDI? in
            guard let stage = graph.stages.first(where: { $0.name == client }), let midi = stage.midi else {
                return nil
            }
            let exchange = ThreadOwned(MIDIExchange(bell: midi.bell.pointer))
            stage.exchange = exchange
            midi.take(exchange)
            return midi
        }
        midi?.announce()
    }

    /// They pass no more.
    func detachMIDI(of client: String) {
        graph.withLock { graph in
            guard let stage = graph.stages.first(where: { $0.name == client }), let exchange = stage.exchange else {
                return
            }
            stage.midi?.detach(exchange)
            stage.exchange = nil
            exchange.deallocate()
        }
    }
}
