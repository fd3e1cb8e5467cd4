import CSndFile

/// Chunks in the header of a WAVE file that is being written. The file has these chunks from the first frame on, so a
/// take that is cut off has them too.
enum HeaderChunk {
    /// Adds a chunk with a name of four letters. Call before any sound is written.
    static func add(_ name: String, _ content: [UInt8], to file: OpaquePointer) {
        var content = content
        var chunk = SF_CHUNK_INFO()
        withUnsafeMutableBytes(of: &chunk.id) { $0.copyBytes(from: name.utf8) }
        chunk.id_size = UInt32(name.utf8.count)
        chunk.datalen = UInt32(content.count)
        content.withUnsafeMutableBytes {
            chunk.data = $0.baseAddress
            // libsndfile copies the content.
            sf_set_chunk(file, &chunk)
        }
    }
}
