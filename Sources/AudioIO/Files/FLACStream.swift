import Glibc

/// Search for the last block of an incomplete FLAC stream, and update of the length in its header.
///
/// An encoder writes complete blocks. The header of each block contains the block's number and a checksum. The encoder
/// writes the length into the stream's header only at the end. Layout: RFC 9639, 8.2 (STREAMINFO) and 9.1 (frame
/// header). Supports only streams of a fixed block size, as libFLAC makes them.
enum FLACStream {
    /// Returns the number of frames per block; nil if the file is not a FLAC stream of fixed block size.
    static func blockFrames(_ descriptor: Int32) -> Int? {
        var bytes = [UInt8](repeating: 0, count: 12)
        guard pread(descriptor, &bytes, 12, 0) == 12, bytes[0..<4].elementsEqual("fLaC".utf8), bytes[4] & 0x7F == 0,
            bytes[8..<10] == bytes[10..<12]
        else { return nil }
        let frames = Int(bytes[8]) << 8 | Int(bytes[9])
        return frames > 0 ? frames : nil
    }

    /// Writes the length into the header. Returns false on failure.
    static func setLength(_ frames: Int, _ descriptor: Int32) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 5)
        guard pread(descriptor, &bytes, 5, 21) == 5 else { return false }
        bytes[0] = bytes[0] & 0xF0 | UInt8(frames >> 32 & 0x0F)
        for i in 1..<5 { bytes[i] = UInt8(truncatingIfNeeded: frames >> (8 * (4 - i))) }
        return pwrite(descriptor, &bytes, 5, 21) == 5
    }

    /// Returns the byte offset of the last block that starts in the file, and the number of frames before it. The block
    /// may be cut off. Returns nil if none is found.
    static func lastBlock(_ descriptor: Int32) -> (offset: Int, frames: Int)? {
        guard let blockFrames = blockFrames(descriptor) else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        // No block is longer than its uncompressed samples. A megabyte contains several blocks.
        let count = min(Int(status.st_size), 1 << 20)
        let begin = Int(status.st_size) - count
        var bytes = [UInt8](repeating: 0, count: count)
        guard pread(descriptor, &bytes, count, off_t(begin)) == count else { return nil }
        // Bytes within a block may look like a header with a valid checksum. A block therefore counts only if the
        // header found before it has the preceding number, or if it is the first block.
        var later: (at: Int, number: Int)?
        for at in stride(from: count - 6, through: 0, by: -1) where bytes[at] == 0xFF && bytes[at + 1] == 0xF8 {
            guard let number = blockNumber(bytes[at...]) else { continue }
            if let later, later.number == number + 1 { return (begin + later.at, later.number * blockFrames) }
            if number == 0 { return (begin + at, 0) }
            later = (at, number)
        }
        return nil
    }

    /// Returns the number in a block's header; nil if the bytes are no header.
    private static func blockNumber(_ bytes: ArraySlice<UInt8>) -> Int? {
        let first = bytes.startIndex
        // The number is coded as in UTF-8, with up to 36 bits in seven bytes.
        let lead = bytes[first + 4]
        let ones = (~lead).leadingZeroBitCount
        guard ones != 1, ones <= 7 else { return nil }
        let more = max(0, ones - 1)
        var number = ones == 0 ? Int(lead) : Int(lead) & (0x7F >> ones)
        var next = first + 5
        guard next + more < bytes.endIndex else { return nil }
        for _ in 0..<more {
            guard bytes[next] & 0xC0 == 0x80 else { return nil }
            number = number << 6 | Int(bytes[next] & 0x3F)
            next += 1
        }
        // An unusual block length or sample rate is stored in extra bytes.
        next += [6: 1, 7: 2][bytes[first + 2] >> 4] ?? 0
        next += [12: 1, 13: 2, 14: 2][bytes[first + 2] & 0x0F] ?? 0
        guard next < bytes.endIndex else { return nil }
        var checksum: UInt8 = 0
        for byte in bytes[first..<next] {
            checksum ^= byte
            for _ in 0..<8 { checksum = checksum & 0x80 != 0 ? checksum << 1 ^ 0x07 : checksum << 1 }
        }
        return checksum == bytes[next] ? number : nil
    }
}
