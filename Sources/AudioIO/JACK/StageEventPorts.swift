import Signal

/// A stage's MIDI ports, with the buffers of their messages. The context owns the buffers.
struct StageEventPorts {
    let input: OpaquePointer
    let output: OpaquePointer
    let exchange: ThreadOwned<MIDIExchange>
}
