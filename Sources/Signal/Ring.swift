import Synchronization

/// Queue of fixed capacity between one writing and one reading thread; neither waits.
///
/// Invariant (why it may be shared unchecked): that of `RingPositions`.
@usableFromInline
package struct Ring<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
    @usableFromInline let positions: UnsafeMutablePointer<RingPositions>
    @usableFromInline let slots: UnsafeMutablePointer<Element>
    @usableFromInline let mask: Int

    /// Capacity in elements: a power of two.
    @inlinable @inline(__always)
    package var capacity: Int { mask + 1 }

    /// Makes a ring for at least `minimumCapacity` elements. Free it with `deallocate()`.
    package init(minimumCapacity: Int, filling: Element) {
        let capacity = RingPositions.capacity(atLeast: minimumCapacity)
        mask = capacity - 1
        positions = .allocate(capacity: 1)
        positions.initialize(to: RingPositions())
        slots = .allocate(capacity: capacity)
        slots.initialize(repeating: filling, count: capacity)
    }

    /// Frees the ring; neither side may use it again.
    package func deallocate() {
        positions.deinitialize(count: 1)
        positions.deallocate()
        slots.deallocate()
    }

    /// Elements waiting to be read; exact on the reading thread, a lower bound elsewhere.
    @inlinable @inline(__always)
    package var count: Int {
        positions.pointee.head.load(ordering: .acquiring) - positions.pointee.tail.load(ordering: .acquiring)
    }

    /// Appends an element; returns false, without a change, when full. Writing thread only.
    @inlinable @inline(__always)
    package func push(_ element: Element) -> Bool {
        let head = positions.pointee.head.load(ordering: .relaxed)
        guard head - positions.pointee.tail.load(ordering: .acquiring) <= mask else { return false }
        slots[head & mask] = element
        positions.pointee.head.store(head + 1, ordering: .releasing)
        return true
    }

    /// Removes and returns all elements, in order. Reading thread only, never the audio thread: it allocates.
    package func drain() -> [Element] {
        var elements: [Element] = []
        while let element = pop() { elements.append(element) }
        return elements
    }

    /// Removes and returns the oldest element; nil when empty. Reading thread only.
    @inlinable @inline(__always)
    package func pop() -> Element? {
        let tail = positions.pointee.tail.load(ordering: .relaxed)
        guard positions.pointee.head.load(ordering: .acquiring) != tail else { return nil }
        let element = slots[tail & mask]
        positions.pointee.tail.store(tail + 1, ordering: .releasing)
        return element
    }
}
