/// A value that belongs to one thread at a time, at a fixed address which others hold: the state of the audio thread
/// or of a worker, and the thread that makes and frees it.
///
/// Invariant (why it may be shared unchecked): what may be changed of the value is used by one thread alone from its
/// start until it is known to have ended, or to have handed the value back; before and after that, by the value's
/// owner. Meanwhile other threads use only what is made for several: atomics, locks, rings and constants. A handle:
/// copies are the same value, which lives until its owner calls `deallocate()`.
///
/// Cost: none beyond the pointer; what runs in a loop takes `pointer` once.
@usableFromInline
package struct ThreadOwned<Value: ~Copyable>: BitwiseCopyable, @unchecked Sendable {
    /// The address, for the thread that the value belongs to.
    @usableFromInline package let pointer: UnsafeMutablePointer<Value>

    /// A place of its own for a value. Free it with `deallocate()`.
    @inlinable
    package init(_ value: consuming Value) {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: value)
    }

    /// A value, or several one after the other, in memory that outlives all copies of this.
    @inlinable @inline(__always)
    package init(at pointer: UnsafeMutablePointer<Value>) { self.pointer = pointer }

    /// Ends the value and frees its place, when no thread uses it any more. Only of a place of its own.
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

    /// The value at `index` of several that lie one after the other.
    @inlinable @inline(__always)
    package subscript(index: Int) -> Value {
        unsafeAddress { UnsafePointer(pointer + index) }
        nonmutating unsafeMutableAddress { pointer + index }
    }
}

extension ThreadOwned: Equatable where Value: ~Copyable {
    /// Whether both are the same place.
    @inlinable
    package static func == (one: ThreadOwned, other: ThreadOwned) -> Bool { one.pointer == other.pointer }
}

extension ThreadOwned: Hashable where Value: ~Copyable {
    /// Tells places apart, not values.
    @inlinable
    package func hash(into hasher: inout Hasher) { hasher.combine(pointer) }
}
