import CJACK
import Glibc
import Signal
import Synchronization

/// MIDI messages between an audio thread, which has a MIDI input and a MIDI output, and a worker.
///
/// Received messages pass through one ring, sent messages through another, in order. Neither thread waits. The creator
/// frees the exchange when neither thread uses it any more.
struct MIDIExchange: ~Copyable {
    /// Messages from the audio thread to the worker. The capacity is four seconds of a tracker that sends 1000 messages
    /// a second, or of a MIDI cable at its highest rate. If the ring is full, the newest messages are lost, such as a
    /// fader's final position.
    let received = Ring(minimumCapacity: 4096, filling: cjack_midi_message())
    /// Messages from the worker to the audio thread. The capacity is more than the messages for all displays of a
    /// control surface with eight strips.
    let outgoing = Ring(minimumCapacity: 512, filling: cjack_midi_message())
    /// Number of messages that were too long or did not fit.
    let dropped = Atomic<Int>(0)
    /// Semaphore that wakes the worker for received messages. The worker owns it and never frees it.
    let bell: UnsafeMutablePointer<sem_t>
    /// A message that did not fit into a period. Used by the audio thread.
    private var unsent = cjack_midi_message()
    private var hasUnsent = false

    init(bell: UnsafeMutablePointer<sem_t>) { self.bell = bell }

    deinit {
        received.deallocate()
        outgoing.deallocate()
    }

    /// Reads a period's messages from a port's buffer. Called on the audio thread.
    @_noLocks
    func take(from buffer: UnsafeMutableRawPointer, cycle: UInt32) {
        var message = cjack_midi_message()
        var index: UInt32 = 0
        while index < cjack_midi_count(buffer) {
            if cjack_midi_take(buffer, index, &message) != 0 {
                message.frame = cycle &+ message.frame
                if !received.push(message) { dropped.wrappingAdd(1, ordering: .relaxed) }
            } else {
                dropped.wrappingAdd(1, ordering: .relaxed)
            }
            index += 1
        }
        if index > 0 { cjack_ring(bell) }
    }

    /// Writes waiting messages into a port's buffer, at the period's first frame. Messages that do not fit wait for the
    /// next period. Called on the audio thread.
    @_noLocks
    mutating func put(into buffer: UnsafeMutableRawPointer) {
        cjack_midi_clear(buffer)
        var isEmpty = true
        while true {
            if !hasUnsent {
                guard let message = outgoing.pop() else { return }
                unsent = message
                hasUnsent = true
            }
            guard cjack_midi_put(buffer, &unsent) != 0 else {
                // A message that does not fit into an empty buffer is dropped.
                guard isEmpty else { return }
                dropped.wrappingAdd(1, ordering: .relaxed)
                hasUnsent = false
                continue
            }
            hasUnsent = false
            isEmpty = false
        }
    }
}
