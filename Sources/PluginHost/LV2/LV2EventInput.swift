import CRealtime
import Signal

/// Event input of an instance: the event sequence for the plugin, rebuilt for each call. For the audio thread.
struct LV2EventInput: BitwiseCopyable {
    /// Memory of the port, for a sequence.
    let memory: UnsafeMutableRawPointer
    /// Size of the memory, bytes.
    let capacity: Int
    /// Kinds of events that the port accepts.
    let kinds: PluginEvents
    /// Whether the port accepts the transport's position.
    let hearsTime: Bool
    /// Number of bytes of the sequence so far, with its header.
    private var count = 16

    /// Number of bytes of the headers of atom and sequence.
    private static var headBytes: Int { @_noLocks get { 16 } }

    /// Creates an input with `capacity` bytes of memory.
    init(_ memory: UnsafeMutableRawPointer, capacity: Int, kinds: PluginEvents) {
        self.memory = memory
        self.capacity = capacity
        self.kinds = kinds
        hearsTime = kinds.contains(.time)
    }

    /// Length of the longest message with its atom header, bytes.
    var longest: Int { capacity - Self.headBytes - 8 }

    /// Starts a sequence without events.
    @_noLocks
    mutating func begin() { count = Self.headBytes }

    /// Appends the oldest message of a queue, an atom of `bytes` bytes, at the first frame of the call. Returns false
    /// if there is no room.
    @_noLocks
    mutating func take(from queue: MessageRing, bytes: Int) -> Bool {
        guard count + 8 + (bytes + 7) & ~7 <= capacity else { return false }
        memory.storeBytes(of: 0, toByteOffset: count, as: Int64.self)
        queue.take(into: memory + count + 8)
        prc_zero(memory + count + 8 + bytes, (bytes + 7) & ~7 - bytes)
        count += 8 + (bytes + 7) & ~7
        return true
    }

    /// Appends the transport's position at the first frame of the call, if there is room.
    @_noLocks
    mutating func put(_ position: TransportPosition, _ uris: Vocabulary) {
        var writer = AtomWriter(memory + count, capacity: capacity - count)
        writer.put(UInt64(0))
        writer.object(size: position.beatsPerMinute == nil ? 56 : 80, kind: uris.position, uris)
        writer.property(uris.frame, UInt64(bitPattern: position.frame), type: uris.long)
        writer.property(uris.speed, position.speed.bitPattern, type: uris.float)
        if let beats = position.beatsPerMinute {
            writer.property(uris.beatsPerMinute, Float(beats).bitPattern, type: uris.float)
        }
        if writer.isWhole { count += writer.count }
    }

    /// Completes the sequence for the plugin.
    @_noLocks
    func end(_ uris: Vocabulary) {
        var writer = AtomWriter(memory, capacity: capacity)
        writer.head(size: count - 8, type: uris.sequence)
        writer.put(UInt64(0))
    }
}
