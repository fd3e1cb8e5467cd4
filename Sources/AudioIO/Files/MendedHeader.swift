/// Replacements of bytes that give a sound file a header that libsndfile can read.
///
/// BW64 (ITU-R BS.2088-1) is RF64 with another name and some more chunks. libsndfile 1.2.0 supports only the name RF64.
/// In RF64 it does not skip the padding byte after a chunk of odd size, and then misses the sound. Such a chunk
/// therefore gets a size that includes the padding byte. If libsndfile misreads the size of the sound
/// (`FileChunks.hidesLength`), the header gets the true sizes of the file and of the sound (in CAF only that of the
/// sound).
enum MendedHeader {
    /// Returns the replacements for a file; empty if libsndfile can read the file as it is.
    static func patches(for chunks: FileChunks) -> [PatchedFile.Patch] {
        var patches = lengths(chunks)
        if chunks.container == .bw64 { patches.append((0, Array("RF64".utf8))) }
        if chunks.container == .rf64 || chunks.container == .bw64 {
            for chunk in chunks.chunks.prefix(while: { $0.name != "data" }) where chunk.size & 1 == 1 {
                patches.append((chunk.offset - 4, chunks.bytes(of: chunk.size + 1, count: 4)))
            }
        }
        return patches
    }

    /// Returns the replacements for sizes that are missing or wrong.
    private static func lengths(_ chunks: FileChunks) -> [PatchedFile.Patch] {
        guard chunks.hidesLength, let data = chunks["data"] else { return [] }
        switch chunks.container {
        case .riff, .rifx:
            let most = Int(UInt32.max) - 8
            return [
                (4, chunks.bytes(of: min(most, chunks.fileSize - 8), count: 4)),
                (data.offset - 4, chunks.bytes(of: min(most, data.size), count: 4)),
            ]
        case .rf64, .bw64:
            guard let long = chunks["ds64"], long.size >= 16 else { return [] }
            return [
                (long.offset, chunks.bytes(of: chunks.fileSize - 8, count: 8)),
                (long.offset + 8, chunks.bytes(of: data.size, count: 8)),
            ]
        case .caf: return [(data.offset - 8, chunks.bytes(of: data.size, count: 8))]
        case .aiff: return []
        }
    }
}
