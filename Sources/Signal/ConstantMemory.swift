/// Memory that is written before it is shared and never afterwards: spectra, tables, grids.
///
/// Invariant (why it may be shared unchecked): the memory is complete when the handle is made, and the handle only
/// reads it. Any number of threads may therefore read at the same time. The writing thread passes the handle on by a
/// mailbox, a ring, a lock or the start of a thread. Each of these makes the written values visible to the other
/// thread.
///
/// This value is a handle: copies refer to the same memory, which exists until its owner calls `deallocate()`. Only a
/// handle to the start of the memory may free it.
///
/// May be used on any thread, including the audio thread. An access costs one load. Loops over samples read `base`
/// once.
@usableFromInline
package struct ConstantMemory<Element: BitwiseCopyable & Sendable>: BitwiseCopyable, @unchecked Sendable {
    /// Start of the memory, for kernels and loops.
    @usableFromInline package let base: UnsafePointer<Element>

    /// Wraps complete memory, which must not be written any more.
    @inlinable @inline(__always)
    package init(_ base: UnsafePointer<Element>) { self.base = base }

    /// Wraps complete memory, given by a mutable pointer.
    @inlinable @inline(__always)
    package init(_ base: UnsafeMutablePointer<Element>) { self.base = UnsafePointer(base) }

    /// Copies an array to memory that is aligned for vector kernels (`AlignedMemory`).
    package init(_ elements: [Element]) {
        let memory = AlignedMemory.allocate(Element.self, count: elements.count)
        memory.initialize(from: elements, count: elements.count)
        self.init(memory)
    }

    /// Frees the memory. No copy of the handle may be used afterwards.
    package func deallocate() { base.deallocate() }

    /// The element at `index`, which must lie within the memory.
    @inlinable @inline(__always)
    package subscript(index: Int) -> Element {
        base[index]
    }

    /// Returns a handle to the memory that begins `count` elements later.
    @inlinable @inline(__always)
    package static func + (memory: ConstantMemory, count: Int) -> ConstantMemory {
        ConstantMemory(memory.base + count)
    }
}
