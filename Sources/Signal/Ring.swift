import Synchronization

/// Queue of fixed capacity between one writing and one reading thread. Neither thread waits.
///
/// Invariant (why it may be shared unchecked): that of `RingPositions`.
@usableFromInline
package struct Ring<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
    @usableFromInline let positions: UnsafeMutablePointer<RingPositions>
    @usableFromInline let slots: UnsafeMutablePointer<Element>
    @usableFromInline let mask: Int

    /// Capacity in elements, a power of two.
    @inlinable @inline(__always)
    package var capacity: Int { mask + 1 }

    /// Makes a ring for at least `minimumCapacity` elements. Its memory is initialised with `filling`. Free it with
    /// `deallocate()`.
    package init(minimumCapacity: Int, filling: Element) {
        let capacity = RingPositions.capacity(atLeast: minimumCapacity)
        mask = capacity - 1
        positions = .allocate(capacity: 1)
        positions.initialize(to: RingPositions())
        slots = .allocate(capacity: capacity)
        slots.initialize(repeating: filling, count: capacity)
    }

    /// Frees the ring. No thread may use it afterwards.
    package func deallocate() {
        positions.deinitialize(count: 1)
        positions.deallocate()
        slots.deallocate()
    }

    /// Elements that wait to be read. The reading thread can read at least as many. On the writing thread some may
    /// already be read. On any other thread the number may be too small.
    @inlinable @inline(__always)
    package var count: Int {
        positions.pointee.head.load(ordering: .acquiring) - positions.pointee.tail.load(ordering: .acquiring)
    }

    /// Appends an element. Returns false, without a change, if the ring is full. Only the writing thread may call it.
    @inlinable @inline(__always)
    package func push(_ element: Element) -> Bool {
        let head = positions.pointee.head.load(ordering: .relaxed)
        guard head - positions.pointee.tail.load(ordering: .acquiring) <= mask else { return false }
        slots[head & mask] = element
        positions.pointee.head.store(head + 1, ordering: .releasing)
        return true
    }

    /// Removes and returns all elements, in order. Only the reading thread may call it, and not if it is the audio
    /// thread, because the call allocates.
    package func drain() -> [Element] {
        var elements: [Element] = []
        while let element = pop() { elements.append(element) }
        return elements
    }

    /// Removes and returns the oldest element; nil if the ring is empty. Only the reading thread may call it.
    @inlinable @inline(__always)
    package func pop() -> Element? {
        let tail = positions.pointee.tail.load(ordering: .relaxed)
        guard positions.pointee.head.load(ordering: .acquiring) != tail else { return nil }
        let element = slots[tail & mask]
        positions.pointee.tail.store(tail + 1, ordering: .releasing)
        return element
    }
}
