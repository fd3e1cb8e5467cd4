/// Heaps in which a file stores texts of variable length. Each heap is checked once, before the library reads a text
/// from it.
///
/// libhdf5 1.10 copies as many bytes as the heap's object claims into a buffer of the size that the reference claims,
/// without regard to the size of the heap.
///
/// Source: HDF5 File Format Specification Version 3.0, III.E (global heap), IV.B (references to it).
struct GlobalHeaps {
    let widths: HeaderBytes.Widths
    /// Sizes of a heap's objects, bytes, by the heap's address and the object's number; nil for an invalid heap or one
    /// with an object beyond its end.
    private var known: [UInt64: [UInt64: UInt64]?] = [:]

    /// Largest heap that is checked, bytes; heaps of texts have 4096 bytes, or the size of a longer text.
    private static let largest: UInt64 = 1 << 24
    /// Longest text, bytes, as for texts of a fixed length.
    static let longestText: UInt64 = 1 << 20

    /// Creates the checker without known heaps.
    init(widths: HeaderBytes.Widths) { self.widths = widths }

    /// Returns the size of the object that a reference names, bytes; nil for an invalid heap or one with an object
    /// beyond its end. O(size of the heap) the first time.
    mutating func size(
        of reference: AttributeMessage.HeapReference,
        read: (_ address: UInt64, _ count: Int) throws(HeaderDamage) -> HeaderBytes
    ) -> UInt64? {
        if let heap = known[reference.address] { return heap?[reference.index] }
        // The texts of one file lie in few heaps; beyond 64, heaps are checked again at each reference.
        let heap = sizes(at: reference.address, read)
        if known.count < 64 { known[reference.address] = .some(heap) }
        return heap?[reference.index]
    }

    /// Returns the size of each object of a heap, bytes, by its number.
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
                // Free space, its own header included.
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
