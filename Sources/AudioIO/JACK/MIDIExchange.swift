import CJACK
import Glibc
import Signal
import Synchronization

/// MIDI messages between an audio thread, which has a port that takes them and one that gives them, and a worker.
///
/// Messages come in through one ring and go out through another, in order; neither side waits. Freed by its maker
/// it, when neither side uses it any more.
struct MIDIExchange: ~Copyable {
    /// Audio thread to worker: four seconds of a tracker of 1 kHz, or of the fastest that a MIDI cable carries. What
    /// finds no room is lost, and would be the newest: where a fader came to rest.
    let received = Ring(minimumCapacity: 4096, filling: cjack_midi_message())
    /// Worker to audio thread: all that a surface with eight strips shows, and more.
    let outgoing = Ring(minimumCapacity: 512, filling: cjack_midi_message())
    /// Messages that were too long, or for which there was no room.
    let dropped = Atomic<Int>(0)
    /// Rings for the worker when messages came; not ours, and never freed.
    let bell: UnsafeMutablePointer<sem_t>
    /// A message for which a period had no room any more; the audio thread's.
    private var unsent = cjack_midi_message()
    private var hasUnsent = false

    init(bell: UnsafeMutablePointer<sem_t>) { self.bell = bell }

    deinit {
        received.deallocate()
        outgoing.deallocate()
    }

    /// Takes a period's messages from a port's buffer. Audio thread.
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

    /// Puts what waits into a port's buffer, at the period's first frame; what finds no room waits for the next. Audio
    /// thread.
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
                // What no empty buffer takes is never sent.
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
