/// Attributes in dense storage: messages in a fractal heap, found through an index of their names.
///
/// The structures that HDF5's own programs write are checked: unfiltered heaps whose blocks belong to one root, and
/// trees of at most two levels, which hold some hundred attributes. Attributes of more than 4 KB ("huge"), filtered
/// heaps and deeper blocks are skipped; deeper trees are refused.
///
/// Source: HDF5 File Format Specification Version 3.0, IV.A.2.v (attribute info), III.G (fractal heap), III.A.2
/// (version 2 B-trees, record type 8).
struct DenseAttributes {
    let widths: HeaderBytes.Widths
    /// Reads `count` bytes of the file at an address.
    let read: (_ address: UInt64, _ count: Int) throws(HeaderDamage) -> HeaderBytes

    /// Largest number of attributes in an index, and greatest lengths of a node and of a heap message, bytes.
    private static let (mostMessages, longestNode, longestMessage): (UInt64, UInt64, UInt64) = (4096, 1 << 16, 1 << 16)

    /// Calls `take` with each message to which an attribute info message refers, one after the other.
    func messages(
        of info: HeaderBytes, _ take: (HeaderBytes) throws(HeaderDamage) -> Void
    ) throws(HeaderDamage) {
        var info = info
        try info.skip(1)
        let flags = try info.number(1)
        if flags & 1 != 0 { try info.skip(2) }
        let (heap, tree) = (try info.number(widths.offset), try info.number(widths.offset))
        // An address with all bits set means that there is none.
        let none = widths.offset < 8 ? (UInt64(1) << UInt64(8 * widths.offset)) - 1 : UInt64.max
        guard heap != none, tree != none else { return }
        guard let blocks = try Blocks(at: heap, self) else { return }
        try records(tree) { (record) throws(HeaderDamage) in
            var record = record
            // The heap's identifier of the object: kind, offset, length.
            guard try record.number(1) & 0x30 == 0 else { return }
            let (offset, length) = (try record.number(blocks.offsetWidth), try record.number(blocks.lengthWidth))
            guard let address = try blocks.address(offset, length) else { return }
            guard length <= Self.longestMessage else {
                throw HeaderDamage(words: "an attribute of \(length) bytes in a heap")
            }
            try take(try read(address, Int(length)))
        }
    }

    /// Calls `take` with the records of a tree of one or two levels. The counts of the nodes are checked before any
    /// record is read, and no node may occur twice. So the work is limited by the number of attributes.
    private func records(
        _ address: UInt64, _ take: (HeaderBytes) throws(HeaderDamage) -> Void
    ) throws(HeaderDamage) {
        var head = try read(address, 16 + widths.offset + 2)
        guard head.starts(with: [0x42, 0x54, 0x48, 0x44]) else { throw HeaderDamage(words: "an index without a head") }
        try head.skip(6)
        let (size, width, depth) = (try head.number(4), try head.number(2), try head.number(2))
        try head.skip(2)
        let (root, count) = (try head.number(widths.offset), try head.number(2))
        guard size <= Self.longestNode, width >= 8, size > width + 10, depth <= 1 else {
            throw HeaderDamage(words: "an index of nodes of \(size) bytes, \(depth + 1) deep")
        }
        guard count > 0 else { return }
        func bounded(_ count: UInt64) throws(HeaderDamage) {
            guard count <= Self.mostMessages else {
                throw HeaderDamage(words: "an index of more than \(Self.mostMessages) attributes")
            }
        }
        try bounded(count)
        var rest = try node(root, size, width, count, take)
        guard depth == 1 else { return }
        // The field with a leaf's number of records has as many bytes as a leaf's largest possible number needs.
        let most = (size - 10) / width
        var (leaves, total): ([(address: UInt64, count: UInt64)], UInt64) = ([], count)
        var seen: Set = [root]
        for _ in 0...count {
            let (leaf, leafCount) = (try rest.number(widths.offset), try rest.number(most < 256 ? 1 : 2))
            total += leafCount
            try bounded(total)
            guard seen.insert(leaf).inserted else { throw HeaderDamage(words: "an index that names a node twice") }
            leaves.append((leaf, leafCount))
        }
        for leaf in leaves { _ = try node(leaf.address, size, width, leaf.count, take) }
    }

    /// Calls `take` with the records of a node, which follow its signature, version and type. Returns the bytes that
    /// follow.
    private func node(
        _ address: UInt64, _ size: UInt64, _ width: UInt64, _ count: UInt64,
        _ take: (HeaderBytes) throws(HeaderDamage) -> Void
    ) throws(HeaderDamage) -> HeaderBytes {
        var rest = try read(address, Int(size))
        guard rest.starts(with: [0x42, 0x54]) else { throw HeaderDamage(words: "an index without a node") }
        try rest.skip(6)
        for _ in 0..<count { try take(try rest.take(width, "record")) }
        return rest
    }

    /// Positions of a heap's blocks.
    private struct Blocks {
        let offsetWidth: Int
        let lengthWidth: Int
        /// Start and end of each block in the heap's address space, and its address in the file.
        private var all: [(start: UInt64, end: UInt64, address: UInt64)] = []

        /// Reads the blocks; nil if the heap contains filtered objects.
        init?(at place: UInt64, _ file: DenseAttributes) throws(HeaderDamage) {
            let (offset, length) = (file.widths.offset, file.widths.length)
            var head = try file.read(place, 22 + 12 * length + 3 * offset)
            guard head.starts(with: [0x46, 0x52, 0x48, 0x50]) else {
                throw HeaderDamage(words: "a heap without a head")
            }
            try head.skip(7)
            let filters = try head.number(2)
            try head.skip(1)
            let largest = try head.number(4)
            // Huge objects, free space, managed space, and the counts of each.
            try head.skip(10 * length + 2 * offset)
            let (width, first, direct) = (try head.number(2), try head.number(length), try head.number(length))
            let bits = Int(try head.number(2))
            try head.skip(2)
            let (root, rows) = (try head.number(offset), try head.number(2))
            guard filters == 0 else { return nil }
            guard (1...64).contains(bits), (1...256).contains(width), first > 0, first <= direct, direct <= 1 << 24,
                rows <= 64
            else { throw HeaderDamage(words: "a heap of impossible sizes") }
            offsetWidth = (bits + 7) / 8
            func bytes(_ value: UInt64) -> Int { (71 - max(1, value).leadingZeroBitCount) / 8 }
            lengthWidth = min(bytes(direct), bytes(largest))
            guard rows > 0 else {
                all = [(0, first, root)]
                return
            }
            var (start, size) = (UInt64(0), first)
            let count = Int(rows * width)
            var block = try file.read(root, 5 + offset + offsetWidth + count * offset)
            guard block.starts(with: [0x46, 0x48, 0x49, 0x42]) else {
                throw HeaderDamage(words: "a heap without a root")
            }
            try block.skip(5 + offset + offsetWidth)
            for row in 0..<rows {
                if row > 1 { size *= 2 }
                guard size <= direct else { break }
                for _ in 0..<width {
                    all.append((start, start + size, try block.number(offset)))
                    start += size
                }
            }
        }

        /// Returns the address of an object in the file; nil if it is in a deeper block than those that were read.
        func address(_ offset: UInt64, _ length: UInt64) throws(HeaderDamage) -> UInt64? {
            guard let block = all.first(where: { $0.start <= offset && offset < $0.end }) else { return nil }
            guard length <= block.end - offset else { throw HeaderDamage(words: "an attribute longer than its block") }
            let (address, overflow) = block.address.addingReportingOverflow(offset - block.start)
            guard !overflow else { throw HeaderDamage(words: "a block at an impossible address") }
            return address
        }
    }
}
