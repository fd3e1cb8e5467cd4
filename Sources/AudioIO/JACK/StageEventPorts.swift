import Signal

/// A stage's MIDI ports, and the buffers of their messages, which the context owns.
struct StageEventPorts {
    let input: OpaquePointer
    let output: OpaquePointer
    let exchange: ThreadOwned<MIDIExchange>
}
