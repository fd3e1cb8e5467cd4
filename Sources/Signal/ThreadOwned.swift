/// Value that belongs to one thread at a time, at a fixed address that other threads hold too: the state of the audio
/// thread or of a worker, shared with the thread that makes and frees it.
///
/// Invariant (why it may be shared unchecked): one thread alone uses the mutable parts of the value, from its start
/// until it has ended or handed the value back; before and after that, the value's owner does. Meanwhile other threads
/// use only parts made for several: atomics, locks, rings and constants. A handle: copies refer to the same value,
/// which lives until its owner calls `deallocate()`.
///
/// Cost: none beyond the pointer; loops read `pointer` once.
@usableFromInline
package struct ThreadOwned<Value: ~Copyable>: BitwiseCopyable, @unchecked Sendable {
    /// Address, for the thread that owns the value.
    @usableFromInline package let pointer: UnsafeMutablePointer<Value>

    /// Makes a place of its own for a value. Free it with `deallocate()`.
    @inlinable
    package init(_ value: consuming Value) {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: value)
    }

    /// Refers to a value, or to several contiguous ones, in memory that outlives all copies of this handle.
    @inlinable @inline(__always)
    package init(at pointer: UnsafeMutablePointer<Value>) { self.pointer = pointer }

    /// Destroys the value and frees its place, when no thread uses it any more. Only for a place of its own.
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

    /// The value at `index` of several contiguous ones.
    @inlinable @inline(__always)
    package subscript(index: Int) -> Value {
        unsafeAddress { UnsafePointer(pointer + index) }
        nonmutating unsafeMutableAddress { pointer + index }
    }
}

extension ThreadOwned: Equatable where Value: ~Copyable {
    /// Returns whether both are the same place.
    @inlinable
    package static func == (one: ThreadOwned, other: ThreadOwned) -> Bool { one.pointer == other.pointer }
}

extension ThreadOwned: Hashable where Value: ~Copyable {
    /// Hashes the place, not the value.
    @inlinable
    package func hash(into hasher: inout Hasher) { hasher.combine(pointer) }
}
