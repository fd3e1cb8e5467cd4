import Signal
import Synchronization

/// Memory of one instance: the buffers of its ports, and the data shared with the audio thread. It is freed as a whole.
/// One thread at a time may call its methods.
final class LV2Memory {
    private var free: [() -> Void] = []

    /// Allocates `count` values, at least one, aligned to 64 bytes.
    func row<Value: BitwiseCopyable>(_ count: Int, of value: Value) -> UnsafeMutablePointer<Value> {
        let row = AlignedMemory.allocate(Value.self, count: max(1, count))
        row.initialize(repeating: value, count: max(1, count))
        free.append { row.deallocate() }
        return row
    }

    /// Allocates `count` zero bytes (at least one), aligned to 64 bytes.
    func bytes(_ count: Int) -> UnsafeMutableRawPointer { UnsafeMutableRawPointer(row(count, of: UInt8(0))) }

    /// Allocates `count` atomic numbers, at least one.
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

    /// Allocates one value of any type.
    func one<Value: ~Copyable>(_ value: consuming Value) -> UnsafeMutablePointer<Value> {
        let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        place.initialize(to: value)
        free.append {
            place.deinitialize(count: 1)
            place.deallocate()
        }
        return place
    }

    /// Allocates a message queue.
    func messages(_ bytes: Int) -> MessageRing {
        let ring = MessageRing(minimumCapacity: bytes)
        free.append { ring.deallocate() }
        return ring
    }

    /// Allocates a C string that C code may keep.
    func text(_ text: String) -> UnsafePointer<CChar> {
        let bytes = text.utf8CString
        let place = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
        for (i, byte) in bytes.enumerated() { place[i] = byte }
        free.append { place.deallocate() }
        return UnsafePointer(place)
    }

    /// Adds an action that is performed when the memory is freed.
    func whenFreed(_ act: @escaping () -> Void) { free.append(act) }

    /// Frees the memory, the newest part first.
    func deallocate() {
        for act in free.reversed() { act() }
        free = []
    }
}
