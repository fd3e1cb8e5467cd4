import Signal
import Synchronization

/// Event output of an instance: the event sequence that the plugin writes in a call. For the audio thread.
struct LV2EventOutput: BitwiseCopyable {
    /// Memory of the port.
    let memory: UnsafeMutableRawPointer
    /// Size of the memory, bytes.
    let capacity: Int

    /// Kind of a message to the control side: its tag in the queue.
    enum Tag {
        /// MIDI message, without its atom header.
        static var midi: UInt32 { @_noLocks get { 1 } }
        /// Object with properties: the whole atom.
        static var object: UInt32 { @_noLocks get { 2 } }
    }

    /// Prepares the memory, so that the plugin can use all of it.
    @_noLocks
    func begin(_ uris: Vocabulary) {
        var writer = AtomWriter(memory, capacity: capacity)
        writer.head(size: capacity - 8, type: uris.chunk)
        writer.put(UInt64(0))
    }

    /// Passes the plugin's MIDI messages and its messages of properties (patch:Set, patch:Put) to the control side.
    /// Messages that do not fit into the queue are counted in `lost`; other events are ignored.
    ///
    /// Reads only within the port's memory, whatever lengths the plugin has written.
    @_noLocks
    func collect(into queue: MessageRing, lost: borrowing Atomic<Int>, _ uris: Vocabulary) {
        guard memory.load(fromByteOffset: 4, as: UInt32.self) == uris.sequence else { return }
        let end = 8 + min(Int(memory.load(as: UInt32.self)), capacity - 8)
        var place = 16
        while place + 16 <= end {
            let size = Int(memory.load(fromByteOffset: place + 8, as: UInt32.self))
            let type = memory.load(fromByteOffset: place + 12, as: UInt32.self)
            guard place + 16 + size <= end else { return }
            let body = memory + place + 16
            var isKept = true
            if type == uris.midi {
                isKept = queue.push(tag: Tag.midi, body, count: size)
            } else if type == uris.object || type == uris.blank, size >= 8 {
                let kind = body.load(fromByteOffset: 4, as: UInt32.self)
                if kind == uris.patchSet || kind == uris.patchPut {
                    isKept = queue.push(tag: Tag.object, body - 8, count: size + 8)
                }
            }
            if !isKept { lost.add(1, ordering: .relaxed) }
            place += 16 + (size + 7) & ~7
        }
    }
}
