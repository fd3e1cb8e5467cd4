import Glibc

/// Chunks after the sound of a finished little-endian WAVE file.
enum WaveTail {
    /// Returns the bytes of a number, lowest first, as in WAVE.
    static func little(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    /// Returns a chunk with its header, padded to an even length.
    static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array(name.utf8) + little(UInt32(content.count)) + content + (content.count & 1 == 1 ? [0] : [])
    }

    /// Appends complete chunks and updates the sizes in the header. Returns false on failure.
    static func append(_ chunks: [UInt8], descriptor: Int32) -> Bool {
        guard let file = FileChunks(descriptor: descriptor), !file.isBigEndian, let data = file["data"] else {
            return false
        }
        let bytes = (file.fileSize & 1 == 1 ? [0] : []) + chunks
        guard pwrite(descriptor, bytes, bytes.count, off_t(file.fileSize)) == bytes.count else { return false }
        let size = file.fileSize + bytes.count - 8
        if file.container.isLong, let sizes = file["ds64"] {
            return pwrite(descriptor, little(UInt64(size)), 8, off_t(sizes.offset)) == 8
        }
        // A plain RIFF file that would exceed 4 GB keeps its sound and does not get the chunks. That is no failure.
        guard size < 0xFFFF_FFF0, data.size < 0xFFFF_FFF0 else {
            return ftruncate(descriptor, off_t(file.fileSize)) == 0
        }
        return pwrite(descriptor, little(UInt32(size)), 4, 4) == 4
    }
}
