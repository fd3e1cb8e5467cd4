import Synchronization

/// Mailbox that holds only the latest value, between one writing and one reading thread. Neither thread waits.
///
/// Invariant (why it may be shared unchecked): there are three slots. At any moment the writer owns one, the reader
/// owns one, and `shared` names the third. No slot is therefore written while it is read. The exchange of slot numbers
/// releases what was written and acquires what will be read. At most one thread may call `store` at a time, and at most
/// one `load`.
@usableFromInline
package struct LatestValue<Value: BitwiseCopyable & Sendable>: @unchecked Sendable {
    @usableFromInline
    struct Storage: ~Copyable {
        /// The slot between the two threads. Bit 2 is set while its value is newer than the reader's.
        @usableFromInline let shared = Atomic<UInt8>(1)
        @usableFromInline var writing: UInt8 = 0
        @usableFromInline var reading: UInt8 = 2
    }
    @usableFromInline let storage: UnsafeMutablePointer<Storage>
    @usableFromInline let slots: UnsafeMutablePointer<Value>

    /// Makes a mailbox that holds `value` until the first `store`. Free the mailbox with `deallocate()`.
    package init(_ value: Value) {
        storage = .allocate(capacity: 1)
        storage.initialize(to: Storage())
        slots = .allocate(capacity: 3)
        slots.initialize(repeating: value, count: 3)
    }

    /// Frees the mailbox. No thread may use it afterwards.
    package func deallocate() {
        storage.deinitialize(count: 1)
        storage.deallocate()
        slots.deallocate()
    }

    /// Returns the value stored last. Wait-free; suitable for the audio thread.
    @inlinable @inline(__always)
    package func load() -> Value {
        if storage.pointee.shared.load(ordering: .relaxed) & 4 != 0 {
            let taken = storage.pointee.shared.exchange(storage.pointee.reading, ordering: .acquiringAndReleasing)
            storage.pointee.reading = taken & 3
        }
        return slots[Int(storage.pointee.reading)]
    }

    /// Replaces the value. Wait-free.
    @inlinable @inline(__always)
    package func store(_ value: Value) {
        slots[Int(storage.pointee.writing)] = value
        let taken = storage.pointee.shared.exchange(storage.pointee.writing | 4, ordering: .acquiringAndReleasing)
        storage.pointee.writing = taken & 3
    }
}
