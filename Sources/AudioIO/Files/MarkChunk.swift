import Glibc

/// Markers in AIFF and AIFF-C files: the `MARK` chunk.
///
/// Source: Apple, "Audio Interchange File Format AIFF-C", draft of 1991, marker chunk. The chunk is appended to a
/// finished file, because libsndfile accepts markers only before the first sample is written, when they are not yet
/// known.
enum MarkChunk {
    /// Appends the markers to a finished file, and updates the size in its header. Returns false if a write fails, if
    /// the file is not AIFF or already has a `MARK` chunk, if there are more than 32767 markers, or if the file would
    /// exceed 4 GB. A marker after frame 2³² − 1 is set to that frame. Names are truncated to 254 bytes.
    static func append(_ markers: [SoundFileMarker], descriptor: Int32) -> Bool {
        guard let file = FileChunks(descriptor: descriptor), file.container == .aiff, file["MARK"] == nil,
            markers.count <= Int(Int16.max)
        else { return false }
        func big<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
            withUnsafeBytes(of: number.bigEndian) { Array($0) }
        }
        var content = big(UInt16(markers.count))
        for (index, marker) in markers.enumerated() {
            let name = Array(marker.name.utf8.prefix(254))
            content += big(Int16(index + 1)) + big(UInt32(clamping: marker.frame)) + [UInt8(name.count)] + name
            // A name and its length byte together have an even size.
            if name.count & 1 == 0 { content.append(0) }
        }
        var bytes = Array("MARK".utf8) + big(UInt32(content.count)) + content
        if file.fileSize & 1 == 1 { bytes.insert(0, at: 0) }
        let size = file.fileSize + bytes.count - 8
        guard size <= Int(UInt32.max), pwrite(descriptor, bytes, bytes.count, off_t(file.fileSize)) == bytes.count
        else {
            return false
        }
        return pwrite(descriptor, big(UInt32(size)), 4, 4) == 4
    }
}
