/// Memory that is written before it is shared and never after: spectra, tables, grids.
///
/// Invariant (why it may be shared unchecked): the memory is complete when the handle is made, and the handle only
/// reads it, so that any number of threads may read at once. The writing thread passes the handle on by a mailbox, a
/// ring, a lock or the start of a thread, each of which makes the written values visible. A handle: copies refer to the
/// same memory, which lives until its owner calls `deallocate()`; only whole memory, not a part, is freed.
///
/// Threads: any, the audio thread included. Cost: a load; loops over samples read `base` once.
@usableFromInline
package struct ConstantMemory<Element: BitwiseCopyable & Sendable>: BitwiseCopyable, @unchecked Sendable {
    /// Start of the memory, for kernels and loops.
    @usableFromInline package let base: UnsafePointer<Element>

    /// Wraps complete memory, which is not written any more.
    @inlinable @inline(__always)
    package init(_ base: UnsafePointer<Element>) { self.base = base }

    /// Wraps complete memory from a mutable pointer.
    @inlinable @inline(__always)
    package init(_ base: UnsafeMutablePointer<Element>) { self.base = UnsafePointer(base) }

    /// Copies an array to memory aligned for vector kernels (`AlignedMemory`).
    package init(_ elements: [Element]) {
        let memory = AlignedMemory.allocate(Element.self, count: elements.count)
        memory.initialize(from: elements, count: elements.count)
        self.init(memory)
    }

    /// Frees the memory; no copy may be used again.
    package func deallocate() { base.deallocate() }

    /// The element at `index`, which is within the memory.
    @inlinable @inline(__always)
    package subscript(index: Int) -> Element {
        base[index]
    }

    /// Returns the memory from `count` elements further on.
    @inlinable @inline(__always)
    package static func + (memory: ConstantMemory, count: Int) -> ConstantMemory {
        ConstantMemory(memory.base + count)
    }
}
