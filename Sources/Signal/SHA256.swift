/// Hash of a file's content (SHA-256, FIPS 180-4, §6.2). It identifies the file in any folder.
package struct SHA256 {
    private var state = Self.start
    /// Bytes that do not yet fill a block of 64.
    private var waiting: [UInt8] = []
    private var count: UInt64 = 0

    /// Begins a hash of no bytes.
    package init() {}

    /// The first 32 bits of the fractional parts of the square roots of the first 8 primes (§5.3.3).
    private static let start: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (§4.2.2).
    private static let constants: [UInt32] = {
        let primes = (2...311).filter { number in !(2..<number).contains { number % $0 == 0 } }
        return primes.map { prime in
            // Exact: the integer cube root of the prime times 2^96, without the bits before the binary point.
            var (low, high) = (UInt64(0), UInt64(7) << 32)
            while low + 1 < high {
                let middle = low + (high - low) / 2
                if isCubeAtMost(middle, UInt64(prime)) { low = middle } else { high = middle }
            }
            return UInt32(truncatingIfNeeded: low)
        }
    }()

    /// Returns whether the cube of `root` is at most `prime` times 2^96.
    private static func isCubeAtMost(_ root: UInt64, _ prime: UInt64) -> Bool {
        let square = root.multipliedFullWidth(by: root)
        let low = square.low.multipliedFullWidth(by: root)
        let high = square.high.multipliedFullWidth(by: root)
        let (middle, carried) = low.high.addingReportingOverflow(high.low)
        // The cube is 2^128·`top` + 2^64·`middle` + the rest. The bound has only bits from bit 96 on.
        let top = high.high + (carried ? 1 : 0)
        return (top << 32 | middle >> 32) < prime
            || ((top << 32 | middle >> 32) == prime && middle & 0xFFFF_FFFF == 0 && low.low == 0)
    }

    /// Adds the next bytes.
    package mutating func add(_ bytes: some Sequence<UInt8>) {
        ContiguousArray(bytes).withUnsafeBytes { add($0) }
    }

    /// Adds the next bytes without a copy. Takes some nanoseconds per byte.
    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        count += UInt64(bytes.count)
        var rest = bytes[...]
        if !waiting.isEmpty {
            let missing = min(64 - waiting.count, rest.count)
            waiting += rest.prefix(missing)
            rest = rest.dropFirst(missing)
            guard waiting.count == 64 else { return }
            waiting.withUnsafeBytes { Self.compress($0, into: &state) }
            waiting.removeAll(keepingCapacity: true)
        }
        let whole = rest.count / 64 * 64
        Self.compress(UnsafeRawBufferPointer(rebasing: rest.prefix(whole)), into: &state)
        waiting += rest.dropFirst(whole)
    }

    /// Returns the hash of all bytes in hexadecimal digits. No bytes may be added afterwards.
    package mutating func finish() -> String {
        let bits = count * 8
        let padding = (119 - waiting.count) % 64 + 1
        add([0x80] + [UInt8](repeating: 0, count: padding - 1))
        add((0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) })
        return state.map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    /// Adds complete blocks of 64 bytes to the state.
    private static func compress(_ blocks: UnsafeRawBufferPointer, into state: inout [UInt32]) {
        @inline(__always) func turned(_ word: UInt32, _ count: UInt32) -> UInt32 {
            word >> count | word << (32 - count)
        }
        constants.withUnsafeBufferPointer { constants in
            withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
                for block in stride(from: 0, to: blocks.count, by: 64) {
                    for index in 0..<16 {
                        words[index] = UInt32(
                            bigEndian: blocks.loadUnaligned(fromByteOffset: block + 4 * index, as: UInt32.self))
                    }
                    for index in 16..<64 {
                        let (early, late) = (words[index - 15], words[index - 2])
                        let first = turned(early, 7) ^ turned(early, 18) ^ early >> 3
                        let second = turned(late, 17) ^ turned(late, 19) ^ late >> 10
                        words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
                    }
                    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
                    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
                    for index in 0..<64 {
                        let sum = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
                        let first = h &+ sum &+ (e & f ^ ~e & g) &+ constants[index] &+ words[index]
                        let other = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)
                        let second = other &+ (a & b ^ a & c ^ b & c)
                        (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
                    }
                    for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] = state[index] &+ word }
                }
            }
        }
    }
}
