/// A place of memory with values that several threads may use at once, since they are made for that: atomics, locks,
/// and structs of these.
///
/// Invariant (why it may be shared unchecked): the values are `Sendable` and never moved, and nothing but borrowing
/// them is offered: what changes does so by the values' own means. A handle: copies are the same place, which lives
/// until its owner calls `deallocate()`.
///
/// Threads: any, the audio thread included. Cost: that of the value's own methods.
@usableFromInline
package struct SharedPlace<Value: ~Copyable & Sendable>: BitwiseCopyable, @unchecked Sendable {
    /// The address, for C and for handles of the audio thread.
    @usableFromInline package let pointer: UnsafeMutablePointer<Value>

    /// A place of its own for one value. Free it with `deallocate()`.
    @inlinable
    package init(_ value: consuming Value) {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: value)
    }

    /// The place of a value that lives elsewhere, in memory that outlives all copies of this.
    @inlinable @inline(__always)
    package init(at pointer: UnsafeMutablePointer<Value>) { self.pointer = pointer }

    /// Ends the value and frees its place; no copy may be used again. Only of a place of its own.
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

    /// The value at `index` of several that lie one after the other.
    @inlinable @inline(__always)
    package subscript(index: Int) -> Value {
        unsafeAddress { UnsafePointer(pointer + index) }
    }
}
