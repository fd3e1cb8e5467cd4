import CHDF5
import CZlib

/// Reverses the filters of a variable's chunks: the filters of HDF5 that SOFA files use (HDF5 File Format Specification
/// 3.0, IV.A.2.l). A chunk of the wrong size counts as damaged. The library itself (1.10) relies on the unpacked size,
/// and reads past the end of a chunk that is too short.
struct ChunkFilters {
    /// A filter that was applied when a chunk was written.
    private enum Step {
        /// A stream of zlib (RFC 1950).
        case deflate
        /// The first bytes of all values, followed by all second bytes, and so on.
        case shuffle(width: Int)
        /// Fletcher's checksum, four bytes after the data.
        case checksum
    }

    /// Reason why a chunk cannot be unpacked.
    struct Damage: Error { let words: String }

    private let steps: [Step]

    /// Reads the filters from a variable's creation properties. Throws if a filter cannot be reversed here.
    init(_ plan: hid_t, path: String, name: String) throws(SOFAError) {
        var steps: [Step] = []
        for index in 0..<max(0, H5Pget_nfilters(plan)) {
            var flags: UInt32 = 0, configuration: UInt32 = 0
            var count = 1
            var parameter: UInt32 = 0
            var label = [CChar](repeating: 0, count: 64)
            let filter = H5Pget_filter2(plan, UInt32(index), &flags, &count, &parameter, 64, &label, &configuration)
            switch filter {
            case H5Z_filter_t(H5Z_FILTER_DEFLATE): steps.append(.deflate)
            case H5Z_filter_t(H5Z_FILTER_SHUFFLE): steps.append(.shuffle(width: count > 0 ? Int(parameter) : 1))
            case H5Z_filter_t(H5Z_FILTER_FLETCHER32): steps.append(.checksum)
            default:
                let bytes = label.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
                throw .unsupported(
                    path: path, what: "\(name): compression filter \(filter)",
                    found: String(decoding: bytes, as: UTF8.self), expected: "deflate (rewrite with h5repack -f GZIP=4)"
                )
            }
        }
        self.steps = steps
    }

    /// Returns the `bytes` bytes of a chunk. Bit i of `mask` means that filter i was not applied when the chunk was
    /// written.
    func unpack(_ stored: [UInt8], mask: UInt32, bytes: Int) throws(Damage) -> [UInt8] {
        let made = steps.indices.filter { mask & (1 << UInt32($0)) == 0 }.map { steps[$0] }
        // Input size of each filter. After deflate only a bound is known.
        var given: [(most: Int, isExact: Bool)] = []
        var length = (most: bytes, isExact: true)
        for step in made {
            given.append(length)
            switch step {
            case .deflate: length = (Int(compressBound(uLong(length.most))), false)
            case .shuffle: break
            case .checksum: length.most += 4
            }
        }
        var data = stored
        for (step, length) in zip(made, given).reversed() {
            switch step {
            case .deflate:
                data = try Self.inflated(data, most: length.most)
                if length.isExact, data.count != length.most {
                    throw Damage(words: "unpacks to \(data.count) bytes instead of \(length.most)")
                }
            case .shuffle(let width): data = Self.unshuffled(data, width)
            case .checksum: data = try Self.checked(data)
            }
        }
        guard data.count == bytes else { throw Damage(words: "has \(data.count) bytes instead of \(bytes)") }
        return data
    }

    private static func inflated(_ data: [UInt8], most: Int) throws(Damage) -> [UInt8] {
        var status = Z_OK
        let found = [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
            var written = uLongf(most)
            status = uncompress(buffer.baseAddress, &written, data, uLong(data.count))
            count = status == Z_OK ? Int(written) : 0
        }
        guard status == Z_OK else {
            throw Damage(
                words: status == Z_BUF_ERROR ? "does not unpack to its \(most) bytes" : "is no stream of zlib's")
        }
        return found
    }

    private static func unshuffled(_ data: [UInt8], _ width: Int) -> [UInt8] {
        guard width > 1, data.count / width > 1 else { return data }
        let values = data.count / width
        return [UInt8](unsafeUninitializedCapacity: data.count) { buffer, count in
            data.withUnsafeBufferPointer { data in
                for byte in 0..<width {
                    let row = byte * values
                    for value in 0..<values { buffer[value * width + byte] = data[row + value] }
                }
                for rest in (values * width)..<data.count { buffer[rest] = data[rest] }
            }
            count = data.count
        }
    }

    /// Returns the data without its checksum. Throws if the checksum is wrong.
    private static func checked(_ data: [UInt8]) throws(Damage) -> [UInt8] {
        guard data.count >= 4 else { throw Damage(words: "has no room for its checksum") }
        let body = Array(data.dropLast(4))
        let stored = data.suffix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let sum = fletcher32(body)
        // Files written before HDF5 1.6.3 have the bytes of each half of the sum exchanged.
        let old = (sum & 0x00FF_00FF) << 8 | (sum & 0xFF00_FF00) >> 8
        guard stored == sum || stored == old else { throw Damage(words: "does not fit its checksum") }
        return body
    }

    /// Returns Fletcher's sums of 16-bit words (IEEE Trans. Commun. 30, 1982), high byte first, modulo 65535. A folded
    /// sum is 65535 instead of 0, except if all words are 0.
    private static func fletcher32(_ data: [UInt8]) -> UInt32 {
        var (low, high) = (UInt32(0), UInt32(0))
        var index = 0
        func folded(_ sum: UInt32) -> UInt32 { (sum & 0xFFFF) + (sum >> 16) }
        while index + 1 < data.count {
            // At most 360 words can be added before a sum could overflow.
            for _ in 0..<min(360, (data.count - index) / 2) {
                low += UInt32(data[index]) << 8 | UInt32(data[index + 1])
                high += low
                index += 2
            }
            (low, high) = (folded(low), folded(high))
        }
        if index < data.count {
            low += UInt32(data[index]) << 8
            high += low
            (low, high) = (folded(low), folded(high))
        }
        return folded(high) << 16 | folded(low)
    }
}
