import Signal
import Synchronization

/// The memory of one instance: what its ports are connected to, and what it shares with the audio thread. Freed all at
/// once, when it is no longer used. Its owner calls from one thread at a time.
final class LV2Memory {
    private var free: [() -> Void] = []

    /// So many values, on a boundary of 64 bytes; at least one.
    func row<Value: BitwiseCopyable>(_ count: Int, of value: Value) -> UnsafeMutablePointer<Value> {
        let row = AlignedMemory.allocate(Value.self, count: max(1, count))
        row.initialize(repeating: value, count: max(1, count))
        free.append { row.deallocate() }
        return row
    }

    /// So many bytes of 0, on a boundary of 64 bytes.
    func bytes(_ count: Int) -> UnsafeMutableRawPointer { UnsafeMutableRawPointer(row(count, of: UInt8(0))) }

    /// So many numbers that two threads may use at once.
    func atomics<Value: AtomicRepresentable & BitwiseCopyable>(
        _ count: Int, of value: Value
    ) -> UnsafeMutablePointer<Atomic<Value>> {
        let row = UnsafeMutablePointer<Atomic<Value>>.allocate(capacity: max(1, count))
        for i in 0..<max(1, count) { (row + i).initialize(to: Atomic(value)) }
        free.append {
            row.deinitialize(count: max(1, count))
            row.deallocate()
        }
        return row
    }

    /// One thing of its own kind.
    func one<Value: ~Copyable>(_ value: consuming Value) -> UnsafeMutablePointer<Value> {
        let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        place.initialize(to: value)
        free.append {
            place.deinitialize(count: 1)
            place.deallocate()
        }
        return place
    }

    /// A queue of messages.
    func messages(_ bytes: Int) -> MessageRing {
        let ring = MessageRing(minimumCapacity: bytes)
        free.append { ring.deallocate() }
        return ring
    }

    /// A text that C may keep.
    func text(_ text: String) -> UnsafePointer<CChar> {
        let bytes = text.utf8CString
        let place = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
        for (i, byte) in bytes.enumerated() { place[i] = byte }
        free.append { place.deallocate() }
        return UnsafePointer(place)
    }

    /// Also does this when all is freed.
    func whenFreed(_ act: @escaping () -> Void) { free.append(act) }

    /// Frees all of it, the newest first.
    func deallocate() {
        for act in free.reversed() { act() }
        free = []
    }
}
