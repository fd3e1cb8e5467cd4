import SeededRandom

/// Faulty HDF5 files made from valid ones. The faults are in the format's own structures (superblock, object headers,
/// trees, heaps). Their checksums are corrected afterwards, so that the library's first check passes. The same seed
/// gives the same faults.
///
/// Source: HDF5 File Format Specification Version 3.0; the checksum is R. J. Jenkins's lookup3 (hashlittle, 2006).
struct HDF5Mutation {
    private var random: SplitMix

    init(seed: UInt64) { random = SplitMix(state: seed) }

    /// Signatures of structures. Version 1 object headers have none.
    private static let signatures = [
        "OHDR", "OCHK", "TREE", "SNOD", "HEAP", "GCOL", "FRHP", "FHIB", "FHDB", "BTHD", "BTLF", "BTIN", "FSHD", "EAHD",
        "FADB",
    ].map { Array($0.utf8) }
    /// Names and values that readers look for.
    private static let words = [
        "Conventions", "SOFAConventions", "DataType", "Type", "Units", "Data.IR", "Data.Real", "Data.Delay", "SOFA",
        "FIR",
        "FIR-E", "TF", "SOS", "SimpleFreeFieldHRIR", "GeneralFIR-E", "SingleRoomSRIR", "spherical", "cartesian",
        "degree",
    ].map { Array($0.utf8) }
    private static let numbers: [UInt64] = [
        0, 1, 2, 3, 6, 7, 8, 0x7F, 0x80, 0xFF, 0xFFFF, 1 << 31, (1 << 32) - 1, 1 << 32, 1 << 62, (1 << 63) - 1, .max,
        .max - 1,
    ]

    /// Returns the bytes with one to three faults.
    mutating func bytes(_ seed: [UInt8]) -> [UInt8] {
        var bytes = seed
        guard bytes.count > 64 else { return bytes }
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let places = structures(bytes)
            let structure = places[Int.random(in: 0..<places.count, using: &random)]
            let place = min(bytes.count - 9, structure + Int.random(in: 0..<120, using: &random))
            switch Int.random(in: 0..<8, using: &random) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1, 2:
                put(Self.numbers[Int.random(in: 0..<Self.numbers.count, using: &random)], into: &bytes, at: place)
            case 3:
                // An address that leads to another structure in the file.
                put(UInt64(places[Int.random(in: 0..<places.count, using: &random)]), into: &bytes, at: place)
            case 4:
                let other = places[Int.random(in: 0..<places.count, using: &random)]
                let count = min(Int.random(in: 4...96, using: &random), bytes.count - max(other, structure))
                if count > 0 {
                    let copy = Array(bytes[other..<(other + count)])
                    bytes.replaceSubrange(structure..<(structure + count), with: copy)
                }
            case 5:
                let word = Self.words[Int.random(in: 0..<Self.words.count, using: &random)]
                let found = places.indices.compactMap { _ in find(word, in: bytes) }
                if let start = found.first {
                    let other = Self.words[Int.random(in: 0..<Self.words.count, using: &random)].prefix(word.count)
                    bytes.replaceSubrange(start..<(start + other.count), with: other)
                }
            case 6: bytes.removeLast(min(bytes.count - 64, Int.random(in: 1...4096, using: &random)))
            default: bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
        }
        // One file in ten keeps its wrong checksums.
        if Int.random(in: 0..<10, using: &random) > 0 { Self.mendChecksums(&bytes) }
        return bytes
    }

    /// Writes a number of one, two, four or eight bytes, little-endian.
    private mutating func put(_ number: UInt64, into bytes: inout [UInt8], at place: Int) {
        let width = [1, 2, 4, 8][Int.random(in: 0..<4, using: &random)]
        for index in 0..<width { bytes[place + index] = UInt8(truncatingIfNeeded: number >> (8 * UInt64(index))) }
    }

    /// Returns where structures begin: the superblock, all places with a signature, and a few without one.
    private mutating func structures(_ bytes: [UInt8]) -> [Int] {
        var places = [0, 96]
        var index = 0
        while index + 4 <= bytes.count {
            if bytes[index] >= 0x42, bytes[index] <= 0x54,
                Self.signatures.contains(where: { bytes[index...].starts(with: $0) })
            {
                places.append(index)
            }
            index += 1
        }
        for _ in 0..<4 { places.append(Int.random(in: 0..<(bytes.count / 8), using: &random) * 8) }
        return places
    }

    private mutating func find(_ word: [UInt8], in bytes: [UInt8]) -> Int? {
        let start = Int.random(in: 0..<bytes.count, using: &random)
        let places = Array(start..<bytes.count) + Array(0..<start)
        return places.first {
            $0 + word.count <= bytes.count && bytes[$0] == word[0] && bytes[$0...].starts(with: word)
        }
    }

    // MARK: Checksums

    /// Corrects the checksums of superblock, object headers, heaps and trees.
    static func mendChecksums(_ bytes: inout [UInt8]) {
        // Superblock versions 2 and 3: 44 bytes with addresses of eight bytes.
        if bytes.count >= 48, bytes[8] >= 2 { seal(&bytes, 0, length: 44) }
        for index in bytes.indices.dropLast(40) where bytes[index] >= 0x42 && bytes[index] <= 0x54 {
            let rest = bytes[index...]
            if rest.starts(with: Array("OHDR".utf8)) {
                mendHeader(&bytes, index)
            } else if rest.starts(with: Array("BTHD".utf8)) {
                seal(&bytes, index, length: 34)
            } else if rest.starts(with: Array("FRHP".utf8)) {
                seal(&bytes, index, length: 142)
            }
        }
    }

    /// Corrects the checksums of a version 2 object header and its continuation blocks.
    private static func mendHeader(_ bytes: inout [UInt8], _ start: Int) {
        guard start + 16 <= bytes.count else { return }
        let flags = bytes[start + 5]
        var place = start + 6 + (flags & 0x20 != 0 ? 16 : 0) + (flags & 0x10 != 0 ? 4 : 0)
        let width = 1 << Int(flags & 3)
        guard let size = number(bytes, place, width), size < UInt64(bytes.count) else { return }
        place += width
        let prefix = flags & 4 != 0 ? 6 : 4
        var pending = [(place, Int(size))]
        seal(&bytes, start, length: place + Int(size) - start)
        for _ in 0..<64 {
            guard let (from, length) = pending.popLast() else { return }
            var message = from
            while message + prefix <= min(bytes.count, from + length) {
                guard let size = number(bytes, message + 1, 2) else { return }
                if bytes[message] == 0x10, let address = number(bytes, message + prefix, 8),
                    let count = number(bytes, message + prefix + 8, 8), count > 8, address < UInt64(bytes.count),
                    count < UInt64(bytes.count)
                {
                    seal(&bytes, Int(address), length: Int(count) - 4)
                    pending.append((Int(address) + 4, Int(count) - 8))
                }
                message += prefix + Int(size)
            }
        }
    }

    private static func number(_ bytes: [UInt8], _ place: Int, _ width: Int) -> UInt64? {
        guard place >= 0, place + width <= bytes.count else { return nil }
        return bytes[place..<(place + width)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Writes the checksum of `length` bytes behind them, if there is room.
    private static func seal(_ bytes: inout [UInt8], _ start: Int, length: Int) {
        guard length > 0, start + length + 4 <= bytes.count else { return }
        let sum = lookup3(bytes[start..<(start + length)])
        for index in 0..<4 { bytes[start + length + index] = UInt8(truncatingIfNeeded: sum >> (8 * UInt32(index))) }
    }

    /// Returns Jenkins's hash of bytes, with initial value 0.
    static func lookup3(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var state = SIMD3<UInt32>(repeating: 0xDEAD_BEEF &+ UInt32(truncatingIfNeeded: bytes.count))
        func turned(_ value: UInt32, _ by: UInt32) -> UInt32 { value << by | value >> (32 - by) }
        var rest = bytes
        func add(_ block: ArraySlice<UInt8>) {
            for (index, byte) in block.enumerated() { state[index / 4] &+= UInt32(byte) << UInt32(8 * (index % 4)) }
        }
        // Each round names the words among a, b and c that it changes and reads, and the count of bits of its rotation.
        while rest.count > 12 {
            add(rest.prefix(12))
            for (one, other, by) in [(0, 2, 4), (1, 0, 6), (2, 1, 8), (0, 2, 16), (1, 0, 19), (2, 1, 4)]
                as [(Int, Int, UInt32)]
            {
                state[one] = (state[one] &- state[other]) ^ turned(state[other], by)
                state[other] = state[other] &+ state[3 - one - other]
            }
            rest = rest.dropFirst(12)
        }
        guard !rest.isEmpty else { return state[2] }
        add(rest)
        for (one, other, by) in [(2, 1, 14), (0, 2, 11), (1, 0, 25), (2, 1, 16), (0, 2, 4), (1, 0, 14), (2, 1, 24)]
            as [(Int, Int, UInt32)]
        {
            state[one] = (state[one] ^ state[other]) &- turned(state[other], by)
        }
        return state[2]
    }
}
