import SeededRandom

/// Faulty input made from valid input; the same seed gives the same faults.
struct Mutation {
    private var random: SplitMix

    init(seed: UInt64) { random = SplitMix(state: seed) }

    /// Sizes, counts and numbers that often break programs, little-endian as in files.
    private static let fields: [[UInt8]] = {
        let short: [UInt32] = [0, 1, 2, 0x7F, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, .max, Float.nan.bitPattern]
        let long: [UInt64] = [0, 1, 1 << 31, 1 << 32, 1 << 62 + 1, 1 << 63 - 1, 1 << 63, .max, Double.nan.bitPattern]
        return short.map { withUnsafeBytes(of: $0.littleEndian) { Array($0) } }
            + long.map { withUnsafeBytes(of: $0.littleEndian) { Array($0) } }
    }()
    private static let words = [
        "nan", "-inf", "1e999", "1e19", "-1", "9223372036854775808", "", "null", "true", "\"", "{", "[", "\u{0}",
        "0x1p3",
    ]

    /// Returns the bytes with one to four faults.
    mutating func bytes(_ seed: [UInt8]) -> [UInt8] {
        var bytes = seed
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            guard !bytes.isEmpty else { break }
            // Half of the faults are in the first 160 bytes: headers decide most of a reader's work.
            let reach = Bool.random(using: &random) ? bytes.count : min(bytes.count, 160)
            let place = Int.random(in: 0..<reach, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1, 2:
                let field = Self.fields[Int.random(in: 0..<Self.fields.count, using: &random)]
                let ordered = Bool.random(using: &random) ? field : field.reversed()
                bytes.replaceSubrange(place..<min(bytes.count, place + field.count), with: ordered)
            case 3: bytes.removeSubrange(place..<min(bytes.count, place + [1, 4, 100][place % 3]))
            case 4: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 24)], at: place)
            default:
                let word = Self.words[Int.random(in: 0..<Self.words.count, using: &random)]
                bytes.replaceSubrange(place..<min(bytes.count, place + word.utf8.count), with: Array(word.utf8))
            }
        }
        return bytes
    }

    /// Returns a text with one to four words or numbers replaced; one text in five has faults in its bytes instead.
    mutating func text(_ seed: String) -> [UInt8] {
        guard Int.random(in: 0..<5, using: &random) > 0 else { return bytes(Array(seed.utf8)) }
        var pieces: [String] = [""]
        for letter in seed {
            if letter.isLetter || letter.isNumber || ".-+_".contains(letter) {
                pieces[pieces.count - 1].append(letter)
            } else {
                pieces += [String(letter), ""]
            }
        }
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let place = Int.random(in: 0..<pieces.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: pieces.swapAt(place, Int.random(in: 0..<pieces.count, using: &random))
            case 1: pieces[place] = pieces[Int.random(in: 0..<pieces.count, using: &random)]
            default: pieces[place] = Self.words[Int.random(in: 0..<Self.words.count, using: &random)]
            }
        }
        return Array(pieces.joined().utf8)
    }
}
