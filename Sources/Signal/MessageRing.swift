import CRealtime
import Synchronization

/// Queue of byte messages of any length between one writing and one reading thread. Neither thread waits.
///
/// A message is stored as length and tag, of four bytes each, followed by the message's bytes, padded to a multiple of
/// eight.
///
/// Invariant (why it may be shared unchecked): that of `RingPositions`. Byte n lies at place n mod `capacity`. This
/// value is a handle: copies refer to the same queue.
package struct MessageRing: @unchecked Sendable {
    private let positions: UnsafeMutablePointer<RingPositions>
    private let bytes: UnsafeMutableRawPointer
    private let mask: Int
    private static let headBytes = 8

    /// Makes an empty queue with room for at least `minimumCapacity` bytes. Free it with `deallocate()`.
    package init(minimumCapacity: Int) {
        let capacity = RingPositions.capacity(atLeast: max(64, minimumCapacity))
        mask = capacity - 1
        positions = .allocate(capacity: 1)
        positions.initialize(to: RingPositions())
        bytes = .allocate(byteCount: capacity, alignment: 8)
        bytes.initializeMemory(as: UInt8.self, repeating: 0, count: capacity)
    }

    /// Frees the queue. No thread may use it afterwards.
    package func deallocate() {
        positions.deinitialize(count: 1)
        positions.deallocate()
        bytes.deallocate()
    }

    /// Largest length of a message, bytes. Such a message fits only into the empty queue.
    package var longest: Int { @_noLocks get { mask + 1 - Self.headBytes } }

    /// Whether no message waits. A result of false stays valid on the reading thread, a result of true on the writing
    /// thread.
    package var isEmpty: Bool {
        @_noLocks get {
            positions.pointee.head.load(ordering: .acquiring) == positions.pointee.tail.load(ordering: .acquiring)
        }
    }

    /// Appends a message of `count` bytes. Returns false, without a change, if it does not fit. Only the writing thread
    /// may call it.
    @_noLocks
    package func push(tag: UInt32, _ message: UnsafeRawPointer?, count: Int) -> Bool {
        let head = positions.pointee.head.load(ordering: .relaxed)
        let room = mask + 1 - (head - positions.pointee.tail.load(ordering: .acquiring))
        guard count >= 0, count <= longest, Self.headBytes + Self.filled(count) <= room else { return false }
        bytes.storeBytes(of: UInt32(truncatingIfNeeded: count), toByteOffset: head & mask, as: UInt32.self)
        bytes.storeBytes(of: tag, toByteOffset: (head & mask) + 4, as: UInt32.self)
        if let message, count > 0 {
            let place = (head + Self.headBytes) & mask
            let whole = min(count, mask + 1 - place)
            prc_copy(bytes + place, message, whole)
            if whole < count { prc_copy(bytes, message + whole, count - whole) }
        }
        positions.pointee.head.store(head + Self.headBytes + Self.filled(count), ordering: .releasing)
        return true
    }

    /// Returns the tag and the length, in bytes, of the oldest message; nil if there is none. Only the reading thread
    /// may call it.
    @_noLocks
    package func next() -> (tag: UInt32, count: Int)? {
        let tail = positions.pointee.tail.load(ordering: .relaxed)
        guard positions.pointee.head.load(ordering: .acquiring) != tail else { return nil }
        let count = bytes.load(fromByteOffset: tail & mask, as: UInt32.self)
        return (bytes.load(fromByteOffset: (tail & mask) + 4, as: UInt32.self), Int(count))
    }

    /// Copies the whole oldest message to `target` and removes it. With a nil `target` the message is only removed.
    /// Does nothing without a message. Only the reading thread may call it.
    @_noLocks
    package func take(into target: UnsafeMutableRawPointer?) {
        guard let (_, count) = next() else { return }
        let tail = positions.pointee.tail.load(ordering: .relaxed)
        if let target, count > 0 {
            let place = (tail + Self.headBytes) & mask
            let whole = min(count, mask + 1 - place)
            prc_copy(target, bytes + place, whole)
            if whole < count { prc_copy(target + whole, bytes, count - whole) }
        }
        positions.pointee.tail.store(tail + Self.headBytes + Self.filled(count), ordering: .releasing)
    }

    /// Returns a length padded to a multiple of eight bytes.
    @_noLocks
    private static func filled(_ count: Int) -> Int { (count + 7) & ~7 }
}
