/// Memory with values that several threads may use at once, because their types are made for that: atomics, locks, and
/// structs of these.
///
/// Invariant (why it may be shared unchecked): the values are `Sendable` and never moved, and are only lent: they
/// change by their own methods alone. A handle: copies refer to the same place, which lives until its owner calls
/// `deallocate()`.
///
/// Threads: any, the audio thread included. Cost: that of the value's own methods.
@usableFromInline
package struct SharedPlace<Value: ~Copyable & Sendable>: BitwiseCopyable, @unchecked Sendable {
    /// Address, for C and for handles of the audio thread.
    @usableFromInline package let pointer: UnsafeMutablePointer<Value>

    /// Makes a place of its own for one value. Free it with `deallocate()`.
    @inlinable
    package init(_ value: consuming Value) {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: value)
    }

    /// Refers to a value elsewhere, in memory that outlives all copies of this handle.
    @inlinable @inline(__always)
    package init(at pointer: UnsafeMutablePointer<Value>) { self.pointer = pointer }

    /// Destroys the value and frees its place; no copy may be used again. Only for a place of its own.
    @inlinable
    package func deallocate() {
        pointer.deinitialize(count: 1)
        pointer.deallocate()
    }

    /// The value.
    @inlinable @inline(__always)
    package var pointee: Value {
        unsafeAddress { UnsafePointer(pointer) }
    }

    /// The value at `index` of several contiguous ones.
    @inlinable @inline(__always)
    package subscript(index: Int) -> Value {
        unsafeAddress { UnsafePointer(pointer + index) }
    }
}
