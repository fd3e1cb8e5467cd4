import Synchronization

/// Many elements at a time, for one release or acquire: what carries audio.
extension Ring {
    /// Appends `count` elements or none; false where they do not fit. Writing thread only; wait-free.
    @inlinable @inline(__always)
    package func push(_ elements: UnsafePointer<Element>, count: Int) -> Bool {
        let head = positions.pointee.head.load(ordering: .relaxed)
        guard head + count - positions.pointee.tail.load(ordering: .acquiring) <= capacity else { return false }
        for i in 0..<count { slots[(head + i) & mask] = elements[i] }
        positions.pointee.head.store(head + count, ordering: .releasing)
        return true
    }

    /// Takes up to `limit` of the oldest elements into `elements`; returns how many. Reading thread only; wait-free.
    @inlinable @inline(__always)
    package func pop(into elements: UnsafeMutablePointer<Element>, limit: Int) -> Int {
        let tail = positions.pointee.tail.load(ordering: .relaxed)
        let count = min(limit, positions.pointee.head.load(ordering: .acquiring) - tail)
        for i in 0..<count { elements[i] = slots[(tail + i) & mask] }
        positions.pointee.tail.store(tail + count, ordering: .releasing)
        return count
    }
}
