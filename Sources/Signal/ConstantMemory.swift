/// Memory that is written before it is shared and never after: spectra, tables, grids.
///
/// Invariant (why it may be shared unchecked): it is made of memory that is complete, and offers reading alone, so that
/// any number of threads may read at once. The thread that wrote hands it on as anything else is handed on, by a
/// mailbox, a ring, a lock or the start of a thread, which has the others see what was written. A handle: copies are
/// the same memory, which lives until its owner calls `deallocate()`; only whole memory, not a part, is freed.
///
/// Threads: any, the audio thread included. Cost: a load; loops over samples take `base` once and go by it.
@usableFromInline
package struct ConstantMemory<Element: BitwiseCopyable & Sendable>: BitwiseCopyable, @unchecked Sendable {
    /// Where it begins, for kernels and loops.
    @usableFromInline package let base: UnsafePointer<Element>

    /// Takes over memory that is complete: it is not written to any more.
    @inlinable @inline(__always)
    package init(_ base: UnsafePointer<Element>) { self.base = base }

    /// The same of memory as it was written.
    @inlinable @inline(__always)
    package init(_ base: UnsafeMutablePointer<Element>) { self.base = UnsafePointer(base) }

    /// A copy of what an array holds, where vector kernels want it (`AlignedMemory`).
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

    /// What begins `count` elements further on.
    @inlinable @inline(__always)
    package static func + (memory: ConstantMemory, count: Int) -> ConstantMemory {
        ConstantMemory(memory.base + count)
    }
}
