import Signal

/// A stage's ports for MIDI, and what passes through them; the exchange is the context's.
struct StageEventPorts {
    let input: OpaquePointer
    let output: OpaquePointer
    let exchange: ThreadOwned<MIDIExchange>
}
