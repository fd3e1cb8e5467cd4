/// The heaps in which a file keeps texts of variable length, looked through before the library reads one; each once,
/// however many texts lie in it.
///
/// libhdf5 1.10 copies as many bytes as the heap's object claims into a buffer as long as the reference says, whatever
/// the heap itself holds.
///
/// Source: HDF5 File Format Specification Version 3.0, III.E (global heap), IV.B (references to it).
struct GlobalHeaps {
    let widths: HeaderBytes.Widths
    /// By address: bytes of each object by its number; nil where a heap is none, or an object in it claims more than
    /// there is.
    private var known: [UInt64: [UInt64: UInt64]?] = [:]

    /// The largest heap that is looked through, bytes; those of texts are of 4096, or as long as the text.
    private static let largest: UInt64 = 1 << 24
    /// The longest text, bytes, as for texts of a fixed length.
    static let longestText: UInt64 = 1 << 20

    /// No heap is known yet.
    init(widths: HeaderBytes.Widths) { self.widths = widths }

    /// Bytes of the object that a reference names; nil where its heap is none, or an object in it claims more than
    /// there is. O(size of the heap) the first time.
    mutating func size(
        of reference: AttributeMessage.HeapReference,
        read: (_ address: UInt64, _ count: Int) throws(HeaderDamage) -> HeaderBytes
    ) -> UInt64? {
        if let heap = known[reference.address] { return heap?[reference.index] }
        // Texts of one file lie in a few; more are looked at one by one, as far as the reader allows.
        let heap = sizes(at: reference.address, read)
        if known.count < 64 { known[reference.address] = .some(heap) }
        return heap?[reference.index]
    }

    /// Bytes of each object of a heap by its number.
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
                // What is free, its own head included.
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
