import CHDF5
import Foundation
import Testing

@testable import SOFA

/// Files that refer to a few bytes many times: reading must cost what the file holds, not what it claims.
@Suite struct AmplificationTests {
    /// An attribute index of two levels: the root refers to leaves `names` times and claims `records` records in each.
    private struct Index {
        static let size = 65_536
        static let width = 8
        var root: [UInt8]
        var leaf: [UInt8]

        /// Creates an index whose reference i leads to the address `place(i)`.
        init(names: Int, records: Int, place: (Int) -> UInt64) {
            leaf = Array("BTLF".utf8) + [0, 8] + [UInt8](repeating: 0, count: Self.size - 6)
            // The reader skips records of objects outside the heap.
            for record in 0..<min(records, (Self.size - 10) / Self.width) { leaf[6 + record * Self.width] = 0x10 }
            root = Array("BTIN".utf8) + [0, 8]
            for _ in 1..<names { root += [0x10] + [UInt8](repeating: 0, count: Self.width - 1) }
            for name in 0..<names {
                root += withUnsafeBytes(of: place(name).littleEndian) { Array($0) }
                root += withUnsafeBytes(of: UInt16(records).littleEndian) { Array($0) }
            }
            root += [UInt8](repeating: 0, count: Self.size - root.count)
        }
    }

    /// Writes a file whose root group's attributes are in such an index, appended to the file.
    private func file(names: Int, records: Int, spread: Int) throws -> String {
        var draft = Draft()
        draft.finish = { file in
            for index in 0..<20 { try? HDF5Writer(file: file, path: "").attribute("Note \(index)", "one of twenty") }
        }
        let path = try draft.write(isLatest: true)
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let head = try #require(
            bytes.indices.first { bytes[$0...].starts(with: Array("BTHD".utf8)) && bytes[$0 + 5] == 8 })
        let (leaf, root) = (bytes.count, bytes.count + Index.size * spread)
        let index = Index(names: names, records: records) { UInt64(leaf + Index.size * ($0 % spread)) }
        for _ in 0..<spread { bytes += index.leaf }
        bytes += index.root
        func put<Number: FixedWidthInteger>(_ number: Number, _ place: Int) {
            for (offset, byte) in withUnsafeBytes(of: number.littleEndian, { Array($0) }).enumerated() {
                bytes[head + place + offset] = byte
            }
        }
        put(UInt32(Index.size), 6)
        put(UInt16(Index.width), 10)
        put(UInt16(1), 12)
        put(UInt64(root), 16)
        put(UInt16(names - 1), 24)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test(arguments: [
        (3640, 8190, 1, "more than 4096 attributes"), (500, 1, 1, "names a node twice"), (4, 1100, 4, "more than 4096"),
    ])
    func `An index that counts too much or names a node twice is refused`(
        names: Int, records: Int, spread: Int, words: String
    ) throws {
        let path = try file(names: names, records: records, spread: spread)
        defer { Draft.remove(path) }
        let begin = Self.worked()
        let reason = try #require(complaint(path)?.reason)
        #expect(reason.contains(words), "\(reason)")
        // A refusal takes milliseconds; following the index would take seconds.
        #expect(Self.worked() - begin < 1)
    }

    /// Returns the processor time of this thread, seconds.
    private static func worked() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    @Test func `Little is read of an index before it is refused`() throws {
        let (leaf, root): (UInt64, UInt64) = (1 << 20, 2 << 20)
        let index = Index(names: 3640, records: 8190) { _ in leaf }
        var read = 0
        var heap = Array("FRHP".utf8) + [UInt8](repeating: 0, count: 142)
        // First and largest blocks of 512 and 65 536 bytes, a table of width 1, addresses of 32 bits, one block.
        for (place, byte) in [(110, 1), (113, 2), (122, 1), (128, 32), (132, 1)] { heap[place] = UInt8(byte) }
        let tree =
            Array("BTHD".utf8) + [0, 8, 0, 0, 1, 0, 8, 0, 1, 0, 0, 0]
            + withUnsafeBytes(of: root.littleEndian) { Array($0) } + [UInt8(3639 & 0xFF), UInt8(3639 >> 8)]
        let dense = DenseAttributes(widths: .init(offset: 8, length: 8)) { address, count throws(HeaderDamage) in
            read += count
            let bytes =
                switch address {
                case 4096: heap
                case 8192: tree
                case leaf: index.leaf
                default: index.root
                }
            return HeaderBytes(bytes.prefix(count))
        }
        let info: [UInt8] = [0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 32, 0, 0, 0, 0, 0, 0]
        let damage = #expect(throws: HeaderDamage.self) {
            try dense.messages(of: HeaderBytes(info[...])) { _ in }
        }
        #expect(damage?.words == "an index of more than 4096 attributes", "\(String(describing: damage))")
        #expect(read < 100_000, "\(read) bytes")
    }

    @Test func `A heap of texts is looked through once, however many lie in it`() throws {
        var heap = Array("GCOL".utf8) + [1, 0, 0, 0] + [0, 0, 16, 0, 0, 0, 0, 0]
        heap += [1, 0, 1, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0] + Array("texts".utf8) + [0, 0, 0]
        heap += [UInt8](repeating: 0, count: (1 << 20) - heap.count)
        let free = (1 << 20) - 40
        for byte in 0..<8 { heap[48 + byte] = UInt8(truncatingIfNeeded: free >> (8 * byte)) }
        var (heaps, read) = (GlobalHeaps(widths: .init(offset: 8, length: 8)), 0)
        for _ in 0..<1000 {
            let size = heaps.size(of: .init(length: 5, address: 64, index: 1)) { _, count throws(HeaderDamage) in
                read += count
                return HeaderBytes(heap.prefix(count))
            }
            #expect(size == 5)
        }
        #expect(read < 3 << 20, "\(read) bytes")
    }

    @Test func `A variable that is cut into more chunks than the file could index is refused`() throws {
        var draft = Draft()
        draft.finish = { file in
            let space = H5Screate_simple(2, [1 << 10, 1 << 10], nil)
            let plan = H5Pcreate(chdf5_dataset_create())
            H5Pset_chunk(plan, 2, [1, 1])
            let dataset = H5Dcreate2(file, "X", chdf5_native_double(), space, 0, plan, 0)
            let one = H5Screate_simple(2, [1, 1], nil)
            H5Sselect_hyperslab(space, H5S_SELECT_SET, [0, 0], nil, [1, 1], nil)
            H5Dwrite(dataset, chdf5_native_double(), one, space, 0, [1.0])
            for space in [space, one] { H5Sclose(space) }
            H5Pclose(plan)
            H5Dclose(dataset)
        }
        let path = try draft.write()
        defer { Draft.remove(path) }
        let error = #expect(throws: SOFAError.self) { try HDF5Variable("X", of: HDF5File(path: path)).floats() }
        #expect(error?.description.contains("is cut into 1048576 chunks") == true, "\(String(describing: error))")
    }
}
