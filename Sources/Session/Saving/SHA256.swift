/// The hash of a file's content, by which it is known wherever it lies: SHA-256 as in FIPS 180-4, §6.2.
struct SHA256 {
    private var state: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    private var waiting: [UInt8] = []
    private var count: UInt64 = 0

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (§4.2.2).
    private static let constants: [UInt32] = {
        let primes = (2...311).filter { number in !(2..<number).contains { number % $0 == 0 } }
        return primes.map { prime in
            // Exactly: the integer cube root of the prime times 2^96, less what stands before the point.
            var (low, high) = (UInt64(0), UInt64(7) << 32)
            while low + 1 < high {
                let middle = low + (high - low) / 2
                if isCubeAtMost(middle, UInt64(prime)) { low = middle } else { high = middle }
            }
            return UInt32(truncatingIfNeeded: low)
        }
    }()

    /// Whether the cube of `root` is at most `prime` times 2^96.
    private static func isCubeAtMost(_ root: UInt64, _ prime: UInt64) -> Bool {
        let square = root.multipliedFullWidth(by: root)
        let low = square.low.multipliedFullWidth(by: root)
        let high = square.high.multipliedFullWidth(by: root)
        let (middle, carried) = low.high.addingReportingOverflow(high.low)
        // The cube is above 2^128 times `top`, 2^64 times `middle` and the rest; the bound has its bits from 96 on.
        let top = high.high + (carried ? 1 : 0)
        return (top << 32 | middle >> 32) < prime
            || ((top << 32 | middle >> 32) == prime && middle & 0xFFFF_FFFF == 0 && low.low == 0)
    }

    /// Takes the next bytes.
    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            waiting.append(byte)
            count += 1
            if waiting.count == 64 { compress() }
        }
    }

    /// The hash of all bytes, in hexadecimal digits; nothing can be added afterwards.
    mutating func finish() -> String {
        let bits = count * 8
        add([0x80])
        while waiting.count != 56 { add([0]) }
        add((0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) })
        return state.map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    private mutating func compress() {
        var words = (0..<16).map { index in
            waiting[4 * index..<4 * index + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        waiting.removeAll(keepingCapacity: true)
        func turned(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }
        for index in 16..<64 {
            let (early, late) = (words[index - 15], words[index - 2])
            let first = turned(early, 7) ^ turned(early, 18) ^ early >> 3
            let second = turned(late, 17) ^ turned(late, 19) ^ late >> 10
            words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let sum = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
            let first = h &+ sum &+ (e & f ^ ~e & g) &+ Self.constants[index] &+ words[index]
            let other = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)
            let second = other &+ (a & b ^ a & c ^ b & c)
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] = state[index] &+ word }
    }
}
