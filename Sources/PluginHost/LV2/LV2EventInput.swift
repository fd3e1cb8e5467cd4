import CRealtime
import Signal

/// An event input of an instance: the sequence the plugin reads in a call, made anew for each. The audio thread's.
struct LV2EventInput: BitwiseCopyable {
    /// What the port is connected to: a sequence.
    let memory: UnsafeMutableRawPointer
    /// Its bytes.
    let capacity: Int
    /// What it takes.
    let kinds: PluginEvents
    /// Whether it wants to know where the transport is.
    let hearsTime: Bool
    /// Bytes of the sequence so far, its head among them.
    private var count = 16

    /// A head: an atom's, and the sequence's own.
    private static var headBytes: Int { @_noLocks get { 16 } }

    /// An input into so many bytes.
    init(_ memory: UnsafeMutableRawPointer, capacity: Int, kinds: PluginEvents) {
        self.memory = memory
        self.capacity = capacity
        self.kinds = kinds
        hearsTime = kinds.contains(.time)
    }

    /// Bytes the longest message may have, its atom's head among them.
    var longest: Int { capacity - Self.headBytes - 8 }

    /// Begins with no event.
    @_noLocks
    mutating func begin() { count = Self.headBytes }

    /// Appends the oldest message of a queue, an atom of `bytes` bytes, at the call's first frame; false where there is
    /// no room left.
    @_noLocks
    mutating func take(from queue: MessageRing, bytes: Int) -> Bool {
        guard count + 8 + (bytes + 7) & ~7 <= capacity else { return false }
        memory.storeBytes(of: 0, toByteOffset: count, as: Int64.self)
        queue.take(into: memory + count + 8)
        prc_zero(memory + count + 8 + bytes, (bytes + 7) & ~7 - bytes)
        count += 8 + (bytes + 7) & ~7
        return true
    }

    /// Appends where the transport is, at the call's first frame, if there is room.
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

    /// Ends the sequence: the plugin may read it.
    @_noLocks
    func end(_ uris: Vocabulary) {
        var writer = AtomWriter(memory, capacity: capacity)
        writer.head(size: count - 8, type: uris.sequence)
        writer.put(UInt64(0))
    }
}
