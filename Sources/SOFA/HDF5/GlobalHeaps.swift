/// Heaps in which a file stores texts of variable length. Each heap is checked once, before the library reads a text
/// from it.
///
/// libhdf5 1.10 makes a buffer of the size that the reference states, and copies into it as many bytes as the heap's
/// object states. It does not check the size of the heap. A damaged file could therefore make it access memory outside
/// the buffer or the heap.
///
/// Source: HDF5 File Format Specification Version 3.0, III.E (global heap), IV.B (references to it).
struct GlobalHeaps {
    let widths: HeaderBytes.Widths
    /// Sizes of a heap's objects, bytes, by the heap's address and the object's number. Nil for an invalid heap, or one
    /// with an object that extends past its end.
    private var known: [UInt64: [UInt64: UInt64]?] = [:]

    /// Size of the largest heap that is checked, bytes. Heaps of texts have 4096 bytes, or the size of a longer text.
    private static let largest: UInt64 = 1 << 24
    /// Length of the longest text, bytes; the limit for texts of fixed length is the same.
    static let longestText: UInt64 = 1 << 20

    /// Creates the checker without known heaps.
    init(widths: HeaderBytes.Widths) { self.widths = widths }

    /// Returns the size of the object to which a reference points, bytes. Nil if the object does not exist, or if the
    /// heap is invalid or has an object that extends past its end. O(size of the heap) the first time.
    mutating func size(
        of reference: AttributeMessage.HeapReference,
        read: (_ address: UInt64, _ count: Int) throws(HeaderDamage) -> HeaderBytes
    ) -> UInt64? {
        if let heap = known[reference.address] { return heap?[reference.index] }
        // The texts of one file are in a small number of heaps. With more than 64, further heaps are checked again at
        // each reference.
        let heap = sizes(at: reference.address, read)
        if known.count < 64 { known[reference.address] = .some(heap) }
        return heap?[reference.index]
    }

    /// Returns the size of each object of a heap, bytes, by its number; nil if the heap is invalid.
    private func sizes(
        at address: UInt64, _ read: (_ address: UInt64, _ count: Int) throws(HeaderDamage) -> HeaderBytes
    ) -> [UInt64: UInt64]? {
        // "GCOL", version, reserved (3), size of the whole; then objects: index (2), references (2), reserved (4),
        // size.
        let head = 8 + widths.length
        guard var start = try? read(address, head), start.starts(with: [0x47, 0x43, 0x4F, 0x4C]),
            (try? start.skip(8)) != nil, let size = try? start.number(widths.length), size <= Self.largest,
            size >= UInt64(head), var rest = try? read(address, Int(size)), (try? rest.skip(head)) != nil
        else { return nil }
        var found: [UInt64: UInt64] = [:]
        while rest.count >= 8 + widths.length {
            guard let index = try? rest.number(2), (try? rest.skip(6)) != nil,
                let length = try? rest.number(widths.length)
            else { return nil }
            if index == 0 {
                // Free space, which includes its own header.
                guard length >= UInt64(8 + widths.length), let free = Int(exactly: length - UInt64(8 + widths.length)),
                    (try? rest.skip(free)) != nil
                else { return nil }
            } else {
                guard (try? rest.take(length, "text", grain: 8)) != nil else { return nil }
                found[index] = length
            }
        }
        return found
    }
}
