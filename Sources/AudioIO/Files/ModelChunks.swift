import Glibc

/// Chunks of a WAVE file that describe its tracks: `chna` and `axml` of ITU-R BS.2088-1.
///
/// Invariant (why it is `Sendable`): all properties are constant. The object owns the descriptor, and reads only at
/// given offsets.
package final class ModelChunks: Sendable {
    private let descriptor: Int32
    private let allocation: FileChunks.Chunk
    private let document: FileChunks.Chunk?
    /// Size of `axml` that the header declares, bytes; nil without `axml`.
    package var documentSize: Int? { document?.size }
    /// Whether the file has only a compressed model (`bxml`).
    package let isCompressed: Bool

    /// Finds the chunks. Returns nil for other containers, if no descriptor is free, and if `chna` is missing or empty:
    /// the tracks are then undeclared, even if an `axml` chunk exists (EBU Tech 3285, supplement 5).
    init?(_ chunks: FileChunks, descriptor: Int32) {
        guard [.riff, .rf64, .bw64].contains(chunks.container), let allocation = chunks["chna"],
            chunks.content(allocation, limit: 4, descriptor: descriptor) != [0, 0, 0, 0]
        else { return nil }
        self.allocation = allocation
        document = chunks["axml"]
        isCompressed = document == nil && chunks["bxml"] != nil
        self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard self.descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Returns the bytes of `chna`; none if the file ends within it. Usually they are some kilobytes. At most 2.6 MB
    /// are read.
    package func readAllocation() -> [UInt8] {
        // 65535 rows, see `TrackRow` of ADM.
        read(allocation, limit: 4 + 40 * 65_535) ?? []
    }

    /// Returns the bytes of `axml`. Returns nil without `axml`, or if the file ends within it.
    package func readDocument() -> [UInt8]? { document.flatMap { read($0, limit: $0.size) } }

    private func read(_ chunk: FileChunks.Chunk, limit: Int) -> [UInt8]? {
        FileChunks.bytes(descriptor, at: chunk.offset, count: min(limit, chunk.size))
    }
}
