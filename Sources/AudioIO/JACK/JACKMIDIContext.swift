import CJACK
import CRealtime
import Glibc
import Signal
import Synchronization

/// What the audio thread and the worker of a MIDI client share.
///
/// Messages come in through one ring and go out through another; neither side waits.
struct JACKMIDIContext: ~Copyable {
    let client: OpaquePointer
    let input: OpaquePointer
    let output: OpaquePointer
    /// Audio thread to worker: half a second of a tracker of 1 kHz.
    let received = Ring(minimumCapacity: 512, filling: cjack_midi_message())
    /// Worker to audio thread.
    let outgoing = Ring(minimumCapacity: 64, filling: cjack_midi_message())
    /// Messages that were too long, or for which there was no room.
    let dropped = Atomic<Int>(0)
    let serverIsGone = Atomic<Bool>(false)
    /// Rings for the worker when messages came; the client's.
    let bell: UnsafeMutablePointer<sem_t>

    init(
        client: OpaquePointer, input: OpaquePointer, output: OpaquePointer, bell: UnsafeMutablePointer<sem_t>
    ) {
        self.bell = bell
        self.client = client
        self.input = input
        self.output = output
    }

    deinit {
        received.deallocate()
        outgoing.deallocate()
    }

    /// One period. Audio thread.
    @_noLocks
    func process(_ frames: UInt32) {
        let cycle = cjack_last_frame_time(client)
        if let buffer = cjack_port_get_buffer(input, frames) {
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
        if let buffer = cjack_port_get_buffer(output, frames) {
            cjack_midi_clear(buffer)
            while var message = outgoing.pop() {
                if cjack_midi_put(buffer, &message) == 0 { dropped.wrappingAdd(1, ordering: .relaxed) }
            }
        }
    }
}

/// JACK's process callback for a MIDI client.
@_noLocks
func jackMIDIProcess(_ frames: UInt32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    argument?.assumingMemoryBound(to: JACKMIDIContext.self).pointee.process(frames)
    return 0
}
