import CJACK
import CRealtime
import Foundation
import Glibc
import Signal
import Synchronization

/// MIDI through a stage's own client. Messages at its port `events_in` are passed to a receiver; sent messages leave by
/// `events_out`. The order of messages is kept in both directions.
///
/// The object outlives drivers. The driver to which it is attached has the ports. The audio thread wakes a worker,
/// which passes messages on. No thread waits for the worker.
package final class StageMIDI: Sendable {
    /// Closure that receives a message. The worker calls it, for one message after the other.
    package typealias Receiver = @Sendable ([UInt8]) -> Void

    /// Names of the ports, without the client's name.
    static let input = "events_in", output = "events_out"
    /// JACK's type of a MIDI port.
    static let portType = "8 bit raw midi"

    private struct State {
        /// Exchange of the driver that has the ports now; nil without a driver.
        var exchange: ThreadOwned<MIDIExchange>?
        var receiver: Receiver?
        /// Called when another driver has taken the ports, or when a client is connected to the output.
        var arrival: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private let isEnding = Atomic<Bool>(false)
    private let hasEnded = DispatchSemaphore(value: 0)
    /// Semaphore that wakes the worker. It is never freed, because the audio thread of a server that hangs may still
    /// use it.
    let bell = SharedPlace(sem_t())

    /// Starts a worker, which runs until `end`. There are no ports yet.
    ///
    /// - Throws: an error if the system provides no thread.
    package init() throws(WorkerError) {
        sem_init(bell.pointer, 0, 0)
        try Worker.detach("stage midi") { [self] in
            work()
            hasEnded.signal()
        }
    }

    /// Passes messages to `receiver` from now on. `arrival` is called when a driver has taken the ports, and when a
    /// client is connected to `events_out`, so that the present state can be sent.
    package func hear(_ receiver: @escaping Receiver, arrival: @escaping @Sendable () -> Void = {}) {
        state.withLock { ($0.receiver, $0.arrival) = (receiver, arrival) }
    }

    /// Sends messages, in order. Returns how many of them were accepted. Empty messages, and messages of more than 56
    /// bytes, are dropped. All are dropped without a driver; when the ring is full, the rest is dropped.
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

    /// Ends the worker. Waits for at most three seconds. Afterwards the receiver is not called. May be called on any
    /// thread except the worker.
    package func end() {
        isEnding.store(true, ordering: .releasing)
        cjack_ring(bell.pointer)
        _ = hasEnded.wait(timeout: .now() + 3)
    }

    /// Attaches the exchange of a driver's audio thread.
    func take(_ exchange: ThreadOwned<MIDIExchange>) {
        state.withLock { $0.exchange = exchange }
        // Messages that were received earlier are read now.
        cjack_ring(bell.pointer)
    }

    /// Calls `arrival`, without holding the lock.
    func announce() { state.withLock { $0.arrival }?() }

    /// Detaches the exchange. When the call returns, the exchange is no longer used.
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

    /// Returns the oldest received message and its receiver. The caller calls the receiver without the lock.
    private func next() -> ([UInt8], Receiver?)? {
        state.withLock { state in
            guard let message = state.exchange?.pointee.received.pop() else { return nil }
            return (message.content, state.receiver)
        }
    }
}

extension cjack_midi_message {
    /// Makes a message of at most 56 bytes.
    init(_ bytes: [UInt8]) {
        self.init()
        length = UInt32(bytes.count)
        withUnsafeMutableBytes(of: &self.bytes) { $0.copyBytes(from: bytes) }
    }

    /// Bytes of the message.
    var content: [UInt8] { withUnsafeBytes(of: bytes) { Array($0.prefix(Int(length))) } }
}
