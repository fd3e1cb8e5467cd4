/// Value that belongs to one thread at a time, at a fixed address. It is the state of the audio thread or of a worker.
/// The thread that makes and frees the value knows the address too.
///
/// Invariant (why it may be shared unchecked): from the start of the value's thread until that thread has ended or
/// returned the value, only that thread uses the mutable parts. Before and after that, only the value's owner does.
/// Meanwhile other threads use only parts made for several threads: atomics, locks, rings and constants. This value is
/// a handle: copies refer to the same value, which exists until its owner calls `deallocate()`.
///
/// Cost: none, apart from the pointer. Loops read `pointer` once.
@usableFromInline
package struct ThreadOwned<Value: ~Copyable>: BitwiseCopyable, @unchecked Sendable {
    /// Address, for the thread that owns the value.
    @usableFromInline package let pointer: UnsafeMutablePointer<Value>

    /// Allocates memory for a value. Free it with `deallocate()`.
    @inlinable
    package init(_ value: consuming Value) {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: value)
    }

    /// Refers to a value, or to several contiguous values, in memory that exists longer than all copies of this handle.
    @inlinable @inline(__always)
    package init(at pointer: UnsafeMutablePointer<Value>) { self.pointer = pointer }

    /// Destroys the value and frees its memory, when no thread uses it any more. Only for memory that `init(_:)`
    /// allocated.
    @inlinable
    package func deallocate() {
        pointer.deinitialize(count: 1)
        pointer.deallocate()
    }

    /// The value.
    @inlinable @inline(__always)
    package var pointee: Value {
        unsafeAddress { UnsafePointer(pointer) }
        nonmutating unsafeMutableAddress { pointer }
    }

    /// The value at `index` of several contiguous values.
    @inlinable @inline(__always)
    package subscript(index: Int) -> Value {
        unsafeAddress { UnsafePointer(pointer + index) }
        nonmutating unsafeMutableAddress { pointer + index }
    }
}

extension ThreadOwned: Equatable where Value: ~Copyable {
    /// Returns whether both handles refer to the same memory.
    @inlinable
    package static func == (one: ThreadOwned, other: ThreadOwned) -> Bool { one.pointer == other.pointer }
}

extension ThreadOwned: Hashable where Value: ~Copyable {
    /// Hashes the address, not the value.
    @inlinable
    package func hash(into hasher: inout Hasher) { hasher.combine(pointer) }
}
