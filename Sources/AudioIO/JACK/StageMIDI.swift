import CJACK
import CRealtime
import Foundation
import Glibc
import Signal
import Synchronization

/// MIDI through a stage's own client: what comes to its port `events_in` is handed on, and what is sent leaves by
/// `events_out`, each in order.
///
/// It outlives drivers: whichever it is attached to now has the ports. A worker, which the audio thread wakes, hands
/// messages on; no thread waits for it.
package final class StageMIDI: Sendable {
    /// Hears a message; called on the worker, one after the other.
    package typealias Receiver = @Sendable ([UInt8]) -> Void

    /// The names of the ports, after the client's.
    static let input = "events_in", output = "events_out"
    /// What JACK calls a port for MIDI.
    static let portType = "8 bit raw midi"

    private struct State {
        /// The exchange of the driver that has the ports now.
        var exchange: ThreadOwned<MIDIExchange>?
        var receiver: Receiver?
        /// Hears that another driver has the ports, or that a client was connected to what leaves by them.
        var arrival: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private let isEnding = Atomic<Bool>(false)
    private let hasEnded = DispatchSemaphore(value: 0)
    /// Never freed: a server that hangs may leave an audio thread with it.
    let bell = SharedPlace(sem_t())

    /// Ports to be; a worker of its own until `end`.
    ///
    /// - Throws: where the system gives no thread for it.
    package init() throws(WorkerError) {
        sem_init(bell.pointer, 0, 0)
        try Worker.detach("stage midi") { [self] in
            work()
            hasEnded.signal()
        }
    }

    /// Has messages handed to `receiver` from now on. `arrival` is called where a driver has taken the ports, and
    /// where a client is connected to `events_out` that knows nothing yet.
    package func hear(_ receiver: @escaping Receiver, arrival: @escaping @Sendable () -> Void = {}) {
        state.withLock { ($0.receiver, $0.arrival) = (receiver, arrival) }
    }

    /// Sends messages, in order. Those of more than 56 bytes are not sent, nor is what finds the queue full or no
    /// driver; returns how many were taken.
    @discardableResult
    package func send(_ messages: [[UInt8]]) -> Int {
        state.withLock { state in
            guard let exchange = state.exchange else { return 0 }
            var count = 0
            for bytes in messages where (1...56).contains(bytes.count) {
                guard exchange.pointee.outgoing.push(cjack_midi_message(bytes)) else { break }
                count += 1
            }
            return count
        }
    }

    /// Ends the worker; the receiver is not called afterwards. Not on the worker.
    package func end() {
        isEnding.store(true, ordering: .releasing)
        cjack_ring(bell.pointer)
        _ = hasEnded.wait(timeout: .now() + 3)
    }

    /// A driver's audio thread exchanges messages here from now on.
    func take(_ exchange: ThreadOwned<MIDIExchange>) {
        state.withLock { $0.exchange = exchange }
        // What came before is heard now.
        cjack_ring(bell.pointer)
    }

    /// Says that a driver has taken the ports, or that a client is connected to them; no lock is held.
    func announce() { state.withLock { $0.arrival }?() }

    /// The exchange is used no more when this returns.
    func detach(_ exchange: ThreadOwned<MIDIExchange>) {
        state.withLock { if $0.exchange == exchange { $0.exchange = nil } }
    }

    private func work() {
        while true {
            cjack_await(bell.pointer, Int64.max)
            if isEnding.load(ordering: .acquiring) { return }
            while let (message, receiver) = next() { receiver?(message) }
        }
    }

    /// The oldest message that came, and the listener that hears it. No listener is called under the lock.
    private func next() -> ([UInt8], Receiver?)? {
        state.withLock { state in
            guard let message = state.exchange?.pointee.received.pop() else { return nil }
            return (message.content, state.receiver)
        }
    }
}

extension cjack_midi_message {
    /// A message of at most 56 bytes.
    init(_ bytes: [UInt8]) {
        self.init()
        length = UInt32(bytes.count)
        withUnsafeMutableBytes(of: &self.bytes) { $0.copyBytes(from: bytes) }
    }

    /// Its bytes.
    var content: [UInt8] { withUnsafeBytes(of: bytes) { Array($0.prefix(Int(length))) } }
}
