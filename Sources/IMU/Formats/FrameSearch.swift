/// Finds the messages of a binary stream that arrives in pieces of any size.
///
/// What is kept between calls is less than one message of the format. The cost is O(bytes) per byte offered for formats
/// whose `find` looks at a bounded number of bytes.
struct FrameSearch: Sendable {
    /// What stands at the front of some bytes.
    enum Finding {
        /// What may become a message when more bytes come.
        case incomplete
        /// No message begins here.
        case nothing
        /// A message of this many bytes.
        case frame(Int)
        /// What looks like a message but is not sound.
        case damaged(TrackerHealth.Fault)
    }

    private var bytes: [UInt8] = []
    private var start = 0
    private var isLost = false

    /// Bytes kept for later.
    var count: Int { bytes.count - start }

    /// Takes the next bytes of the stream.
    mutating func append(_ more: [UInt8]) {
        if start > 0 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes += more
    }

    /// The next message, or `nil` when more bytes are needed. A run of bytes that belong to none counts as one fault.
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
                // A message may begin inside what only looked like one.
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

    /// Everything kept, which is then forgotten.
    mutating func takeRest() -> [UInt8] {
        defer {
            bytes = []
            start = 0
        }
        return Array(bytes[start...])
    }
}

extension ArraySlice<UInt8> {
    /// A little-endian number at a byte offset from the start; the bytes must be there.
    func little<T: FixedWidthInteger>(_ offset: Int, _: T.Type = T.self) -> T {
        var value: T = 0
        for index in stride(from: T.bitWidth / 8 - 1, through: 0, by: -1) {
            value = value << 8 | T(truncatingIfNeeded: self[startIndex + offset + index])
        }
        return value
    }

    /// A big-endian number at a byte offset from the start; the bytes must be there.
    func big<T: FixedWidthInteger>(_ offset: Int, _: T.Type = T.self) -> T {
        T(truncatingIfNeeded: little(offset, T.self).byteSwapped)
    }

    /// A little-endian single-precision number.
    func littleFloat(_ offset: Int) -> Double { Double(Float(bitPattern: little(offset))) }

    /// A big-endian single-precision number.
    func bigFloat(_ offset: Int) -> Double { Double(Float(bitPattern: big(offset))) }

    /// Three little-endian single-precision numbers.
    func littleVector(_ offset: Int) -> SIMD3<Double> {
        SIMD3(littleFloat(offset), littleFloat(offset + 4), littleFloat(offset + 8))
    }

    /// Three big-endian single-precision numbers.
    func bigVector(_ offset: Int) -> SIMD3<Double> {
        SIMD3(bigFloat(offset), bigFloat(offset + 4), bigFloat(offset + 8))
    }
}
