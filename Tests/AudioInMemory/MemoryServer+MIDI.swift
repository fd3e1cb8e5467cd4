import CJACK
import Signal
import Synchronization

@testable import AudioIO

/// MIDI of a memory server's stages. Messages are passed immediately, not in an audio cycle.
extension MemoryServer {
    /// Sends a message to a stage's `events_in`. Returns false if the stage has no such port, its buffer is full, or
    /// the message does not have 1…56 bytes.
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

    /// Returns the messages that a stage has sent by `events_out` since the last call.
    package func takeMessages(of client: String) -> [[UInt8]] {
        graph.withLock { graph in
            Self.exchange(of: client, in: graph)?.pointee.outgoing.drain().map(\.content) ?? []
        }
    }

    /// Signals to a stage that a client was connected to its `events_out`. Returns false if the stage has no such port.
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

    /// Attaches the MIDI exchange of an active stage that has MIDI ports.
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

    /// Detaches the MIDI exchange of a stage.
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
