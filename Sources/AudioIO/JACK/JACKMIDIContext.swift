import CJACK
import CRealtime
import Glibc
import Signal

/// Data that the audio thread and the worker of a MIDI client share.
struct JACKMIDIContext: ~Copyable {
    let client: OpaquePointer
    let input: OpaquePointer
    let output: OpaquePointer
    /// Buffers of messages between the two threads.
    var exchange: MIDIExchange
    let server = JACKServerState.make()

    init(
        client: OpaquePointer, input: OpaquePointer, output: OpaquePointer, bell: UnsafeMutablePointer<sem_t>
    ) {
        exchange = MIDIExchange(bell: bell)
        self.client = client
        self.input = input
        self.output = output
    }

    deinit { JACKServerState.free(server) }

    /// Passes the messages of one period. Called on the audio thread.
    @_noLocks
    mutating func process(_ frames: UInt32) {
        let cycle = cjack_last_frame_time(client)
        if let buffer = cjack_port_get_buffer(input, frames) { exchange.take(from: buffer, cycle: cycle) }
        if let buffer = cjack_port_get_buffer(output, frames) { exchange.put(into: buffer) }
    }
}

/// JACK's process callback for a MIDI client.
@_noLocks
func jackMIDIProcess(_ frames: UInt32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    argument?.assumingMemoryBound(to: JACKMIDIContext.self).pointee.process(frames)
    return 0
}
