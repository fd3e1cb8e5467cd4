/// Finds the messages of a binary stream that arrives in pieces of any size.
///
/// Less than one message is stored between calls. The cost is O(1) per byte for formats whose `find` reads a bounded
/// number of bytes.
struct FrameSearch: Sendable {
    /// Result of a search at the front of some bytes.
    enum Finding {
        /// Perhaps the beginning of a message; more bytes are needed.
        case incomplete
        /// No message begins here.
        case nothing
        /// A message that has this many bytes.
        case frame(Int)
        /// A message with a fault, such as a wrong checksum.
        case damaged(TrackerHealth.Fault)
    }

    private var bytes: [UInt8] = []
    private var start = 0
    private var isLost = false

    /// Number of bytes stored.
    var count: Int { bytes.count - start }

    /// Adds the next bytes of the stream.
    mutating func append(_ more: [UInt8]) {
        if start > 0 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes += more
    }

    /// Returns the next message; `nil` if more bytes are needed. A run of bytes outside messages counts as one fault.
    mutating func next(
        _ faults: inout [TrackerHealth.Fault], _ find: (ArraySlice<UInt8>) -> Finding
    ) -> ArraySlice<UInt8>? {
        while start < bytes.count {
            switch find(bytes[start...]) {
            case .incomplete: return nil
            case .nothing:
                if !isLost { faults.append(.outOfSync) }
                isLost = true
                start += 1
            case .damaged(let fault):
                // A message may begin inside a damaged one.
                faults.append(fault)
                isLost = true
                start += 1
            case .frame(let count):
                isLost = false
                defer { start += count }
                return bytes[start..<start + count]
            }
        }
        return nil
    }

    /// Returns and clears the stored bytes.
    mutating func takeRest() -> [UInt8] {
        defer {
            bytes = []
            start = 0
        }
        return Array(bytes[start...])
    }
}

extension ArraySlice<UInt8> {
    /// Returns a little-endian number at a byte offset from the start; the bytes must exist.
    func little<T: FixedWidthInteger>(_ offset: Int, _: T.Type = T.self) -> T {
        var value: T = 0
        for index in stride(from: T.bitWidth / 8 - 1, through: 0, by: -1) {
            value = value << 8 | T(truncatingIfNeeded: self[startIndex + offset + index])
        }
        return value
    }

    /// Returns a big-endian number at a byte offset from the start; the bytes must exist.
    func big<T: FixedWidthInteger>(_ offset: Int, _: T.Type = T.self) -> T {
        T(truncatingIfNeeded: little(offset, T.self).byteSwapped)
    }

    /// Returns a little-endian single-precision number.
    func littleFloat(_ offset: Int) -> Double { Double(Float(bitPattern: little(offset))) }

    /// Returns a big-endian single-precision number.
    func bigFloat(_ offset: Int) -> Double { Double(Float(bitPattern: big(offset))) }

    /// Returns three little-endian single-precision numbers.
    func littleVector(_ offset: Int) -> SIMD3<Double> {
        SIMD3(littleFloat(offset), littleFloat(offset + 4), littleFloat(offset + 8))
    }

    /// Returns three big-endian single-precision numbers.
    func bigVector(_ offset: Int) -> SIMD3<Double> {
        SIMD3(bigFloat(offset), bigFloat(offset + 4), bigFloat(offset + 8))
    }
}
