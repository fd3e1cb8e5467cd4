/// Memory with values that several threads may use at the same time, because their types allow it: atomics, locks, and
/// structs of these.
///
/// Invariant (why it may be shared unchecked): the values are `Sendable` and are never moved. They are only borrowed,
/// and change only by their own methods. This value is a handle: copies refer to the same memory, which exists until
/// its owner calls `deallocate()`.
///
/// May be used on any thread, including the audio thread. Cost: that of the value's own methods.
@usableFromInline
package struct SharedPlace<Value: ~Copyable & Sendable>: BitwiseCopyable, @unchecked Sendable {
    /// Address, for C code and for handles of the audio thread.
    @usableFromInline package let pointer: UnsafeMutablePointer<Value>

    /// Allocates memory for one value. Free it with `deallocate()`.
    @inlinable
    package init(_ value: consuming Value) {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: value)
    }

    /// Refers to a value in other memory, which must exist longer than all copies of this handle.
    @inlinable @inline(__always)
    package init(at pointer: UnsafeMutablePointer<Value>) { self.pointer = pointer }

    /// Destroys the value and frees its memory. No copy may be used afterwards. Only for memory that `init(_:)`
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
    }

    /// The value at `index` of several contiguous values.
    @inlinable @inline(__always)
    package subscript(index: Int) -> Value {
        unsafeAddress { UnsafePointer(pointer + index) }
    }
}
