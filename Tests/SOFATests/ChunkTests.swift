import CHDF5
import Foundation
import Testing

@testable import SOFA

/// Variables in chunks: every packing gives the values that were written, and no chunk's data are trusted.
@Suite struct ChunkTests {
    /// Writes a draft with a further variable `X` of 7 × 3 × 11 values. `pack` sets its creation properties, `fill`
    /// writes its values.
    private func file(
        chunk: [hsize_t] = [3, 2, 4], type: hid_t = chdf5_native_double(), isLatest: Bool = false,
        _ pack: @escaping (_ plan: hid_t) -> Void, fill: @escaping (_ dataset: hid_t) -> Void = { _ in }
    ) throws -> String {
        var draft = Draft()
        draft.finish = { file in
            let space = H5Screate_simple(3, Self.shape.map { hsize_t($0) }, nil)
            let plan = H5Pcreate(chdf5_dataset_create())
            H5Pset_chunk(plan, 3, chunk)
            pack(plan)
            let dataset = H5Dcreate2(file, "X", type, space, 0, plan, 0)
            fill(dataset)
            H5Sclose(space)
            H5Pclose(plan)
            H5Dclose(dataset)
        }
        return try draft.write(isLatest: isLatest)
    }

    private static let shape = [7, 3, 11]
    private static let values: [Double] = (0..<231).map { (index: Int) -> Double in Double(index * 7919 % 1009 - 500) }
    private static func write(_ dataset: hid_t) { H5Dwrite(dataset, chdf5_native_double(), 0, 0, 0, values) }

    /// Packings of a variable.
    enum Packing: CaseIterable {
        case plain, deflate, shuffled, checked, all, checkedFirst, edges, integers, singles, deflatedTwice
    }

    @Test(arguments: Packing.allCases) func everyPackingGivesWhatWasWritten(_ packing: Packing) throws {
        let type: hid_t =
            switch packing {
            case .integers: chdf5_native_int16()
            case .singles: chdf5_ieee_f32be()
            default: chdf5_native_double()
            }
        let path = try file(type: type, isLatest: packing == .edges) { plan in
            switch packing {
            case .plain, .integers: break
            case .deflate, .edges: H5Pset_deflate(plan, 6)
            case .shuffled: H5Pset_shuffle(plan)
            case .checked: H5Pset_fletcher32(plan)
            case .all, .singles:
                H5Pset_shuffle(plan)
                H5Pset_deflate(plan, 9)
                H5Pset_fletcher32(plan)
            case .deflatedTwice:
                H5Pset_deflate(plan, 6)
                H5Pset_deflate(plan, 6)
            case .checkedFirst:
                H5Pset_fletcher32(plan)
                H5Pset_deflate(plan, 1)
            }
            if packing == .edges { H5Pset_chunk_opts(plan, UInt32(H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS)) }
        } fill: {
            Self.write($0)
        }
        defer { Draft.remove(path) }
        let file = try HDF5File(path: path)
        for room in [0, 200, 1 << 20] {
            let variable = try HDF5Variable("X", of: file, room: room)
            #expect(variable.shape == Self.shape && variable.chunkRows == 3)
            #expect(try variable.doubles() == Self.values)
            #expect(try variable.floats() == Self.values.map { Float($0) })
            for (start, count) in [
                ([0, 0, 0], [1, 1, 1]), ([2, 1, 3], [4, 2, 6]), ([6, 2, 10], [1, 1, 1]), ([1, 0, 0], [0, 3, 11]),
            ] {
                let expected = Self.piece(start, count)
                #expect(try variable.doubles(start: start, count: count) == expected)
            }
        }
    }

    /// Returns a block of the values.
    private static func piece(_ start: [Int], _ count: [Int]) -> [Double] {
        var piece: [Double] = []
        for i in start[0]..<(start[0] + count[0]) {
            for j in start[1]..<(start[1] + count[1]) {
                let row = (i * shape[1] + j) * shape[2] + start[2]
                piece += values[row..<(row + count[2])]
            }
        }
        return piece
    }

    @Test(arguments: [false, true]) func whatWasNeverWrittenIsWhatTheFileSays(_ isPacked: Bool) throws {
        var value = 2.5
        let path = try file { plan in
            if isPacked { H5Pset_deflate(plan, 6) }
            H5Pset_fill_value(plan, chdf5_native_double(), &value)
        }
        defer { Draft.remove(path) }
        let variable = try HDF5Variable("X", of: HDF5File(path: path))
        #expect(try variable.doubles() == Self.values.map { _ in 2.5 })
        #expect(throws: SOFAError.self) { try variable.doubles(start: [6, 0, 0], count: [2, 1, 1]) }
    }

    /// Chunks that the library would read beyond or accept: bytes (negative: a zlib stream of as many), whether they
    /// are noise, the mask of filters left out, and words of the error; nil without one.
    @Test(
        arguments: [
            (50, false, 1, "has 50 bytes instead of 192"), (192, true, 0, "no stream of zlib's"),
            (-100, false, 0, "unpacks to 100 bytes instead of 192"),
            (-300, false, 0, "does not unpack to its 192 bytes"),
            (-192, false, 0, nil), (192, false, 1, nil),
        ] as [(Int, Bool, UInt32, String?)])
    func noChunkIsBelieved(_ size: Int, _ isNoise: Bool, _ mask: UInt32, _ words: String?) throws {
        let path = try file(chunk: [2, 3, 4]) {
            H5Pset_deflate($0, 6)
        } fill: { dataset in
            Self.write(dataset)
            H5Dflush(dataset)
            // Negative sizes: stored blocks (RFC 1951, 3.2.4) in a zlib stream.
            let bytes = size < 0 ? Self.stream(of: -size) : [UInt8](repeating: isNoise ? 0xA5 : 0, count: size)
            H5Dwrite_chunk(dataset, 0, mask, [4, 0, 4], bytes.count, bytes)
        }
        defer { Draft.remove(path) }
        let variable = try HDF5Variable("X", of: HDF5File(path: path))
        #expect(try variable.doubles(start: [0, 0, 0], count: [4, 3, 11]).prefix(33) == Self.values.prefix(33))
        do throws(SOFAError) {
            #expect(try variable.doubles(start: [4, 0, 4], count: [2, 3, 4]) == [Double](repeating: 0, count: 24))
            #expect(words == nil)
        } catch {
            let text = error.description
            #expect(words.map { text.contains($0) } == true && text.contains("[4, 0, 4]"), "\(text)")
        }
    }

    /// Returns a zlib stream of `count` zeros without compression.
    private static func stream(of count: Int) -> [UInt8] {
        let low = UInt8(count & 0xFF), high = UInt8(count >> 8)
        // Adler-32 of zeros: 1 in the low half, their number in the high half (RFC 1950, 9).
        let head: [UInt8] = [0x78, 0x01, 1, low, high, ~low, ~high], sum: [UInt8] = [high, low, 0, 1]
        return head + [UInt8](repeating: 0, count: count) + sum
    }

    /// Returns the ranges of the records of `X`'s twelve chunks in HDF5's oldest format: the leaf of a version 1
    /// B-tree. Each key has a chunk's stored size (4 bytes), its filter mask (4) and its position (8 for each axis and
    /// 8 more); the chunk's address (8) follows. HDF5 File Format Specification 3.0, III.A.1.
    private static func records(in bytes: [UInt8]) throws -> [Range<Int>] {
        let leaf = Array("TREE".utf8) + [1, 0, 12, 0]
        let node = try #require(bytes.indices.dropLast(8).first { bytes[$0..<($0 + 8)].elementsEqual(leaf) })
        let (start, length) = (node + 24, 8 + 8 * (shape.count + 1) + 8)
        return (0..<12).map { (start + $0 * length)..<(start + ($0 + 1) * length) }
    }

    /// Writes a file whose second chunk is zeros, stored in more bytes than any other chunk, and changes the records.
    private func file(changing change: (_ bytes: inout [UInt8], _ records: [Range<Int>]) -> Void) throws -> String {
        let path = try file(chunk: [2, 3, 4]) {
            H5Pset_deflate($0, 6)
        } fill: { dataset in
            Self.write(dataset)
            H5Dflush(dataset)
            let zeros = Self.stream(of: 192)
            H5Dwrite_chunk(dataset, 0, 0, [0, 0, 4], zeros.count, zeros)
        }
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        change(&bytes, try Self.records(in: bytes))
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// One of the first two records gets the other's position: a chunk's length and its bytes might then come from
    /// different records.
    @Test(arguments: [(0, 1), (1, 0)]) func ofTwoRecordsForOnePlaceOneIsRead(_ from: Int, _ to: Int) throws {
        let path = try file { bytes, records in
            let place = bytes[(records[from].lowerBound + 8)..<(records[from].upperBound - 8)]
            bytes.replaceSubrange((records[to].lowerBound + 8)..<(records[to].upperBound - 8), with: place)
        }
        defer { Draft.remove(path) }
        for room in [0, 1 << 20] {
            let variable = try HDF5Variable("X", of: HDF5File(path: path), room: room)
            let zeros = [Double](repeating: 0, count: 24)
            // The position with two records has the chunk of either, or zeros; the position without a record has zeros.
            let chunks = [0, 4].map { Self.piece([0, 0, $0], [2, 3, 4]) }
            let both = try variable.doubles(start: [0, 0, 4 * from], count: [2, 3, 4])
            #expect(both == chunks[0] || both == chunks[1] || both == zeros)
            #expect(try variable.doubles(start: [0, 0, 4 * to], count: [2, 3, 4]) == zeros)
            let rest = try variable.doubles(start: [2, 0, 0], count: [5, 3, 11])
            #expect(rest == Self.piece([2, 0, 0], [5, 3, 11]))
        }
    }

    @Test func aRecordThatClaimsMoreThanTheFileIsTold() throws {
        let path = try file { bytes, records in
            bytes.replaceSubrange(records[5].lowerBound..<(records[5].lowerBound + 4), with: [0xFF, 0xFF, 0xFF, 0x7F])
        }
        defer { Draft.remove(path) }
        #expect {
            try HDF5Variable("X", of: HDF5File(path: path))
        } throws: {
            "\($0)".contains("stored bytes in a file of")
        }
    }

    /// The claimed size is less than the file's, but more than the bytes from the chunk's address to the end.
    @Test func aRecordThatClaimsMoreThanFollowsIsTold() throws {
        let path = try file { bytes, records in
            func number(_ place: Int, _ count: Int) -> Int {
                bytes[place..<(place + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
            }
            let last = records.max { number($0.upperBound - 8, 8) < number($1.upperBound - 8, 8) } ?? records[0]
            let claimed = bytes.count - number(last.upperBound - 8, 8) + 100
            for byte in 0..<4 { bytes[last.lowerBound + byte] = UInt8(claimed >> (8 * byte) & 0xFF) }
        }
        defer { Draft.remove(path) }
        let variable = try HDF5Variable("X", of: HDF5File(path: path))
        #expect {
            try variable.doubles()
        } throws: {
            "\($0)".contains("cannot be read")
        }
    }

    @Test func aChecksumThatDoesNotFitIsTold() throws {
        let path = try file(chunk: [7, 3, 11]) {
            H5Pset_fletcher32($0)
        } fill: { dataset in
            Self.write(dataset)
            H5Dflush(dataset)
            let bytes = [UInt8](repeating: 1, count: 7 * 3 * 11 * 8 + 4)
            H5Dwrite_chunk(dataset, 0, 0, [0, 0, 0], bytes.count, bytes)
        }
        defer { Draft.remove(path) }
        #expect {
            try HDF5Variable("X", of: HDF5File(path: path)).floats()
        } throws: {
            "\($0)".contains("does not fit its checksum")
        }
    }

    @Test func otherFiltersAreNamed() throws {
        let path = try file {
            H5Pset_scaleoffset($0, H5Z_SO_INT, 0)
        } fill: { _ in
        }
        defer { Draft.remove(path) }
        #expect {
            try HDF5Variable("X", of: HDF5File(path: path))
        } throws: {
            "\($0)".contains("scaleoffset") && "\($0)".contains("h5repack")
        }
    }
}
