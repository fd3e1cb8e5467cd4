import Glibc

/// Where a WAVE file keeps what its tracks are: the `chna` and `axml` chunks of ITU-R BS.2088-1.
///
/// Invariant (why it is `Sendable`): constants; the descriptor is this object's own and is read by place alone.
package final class ModelChunks: Sendable {
    private let descriptor: Int32
    private let allocation: FileChunks.Chunk
    private let document: FileChunks.Chunk?
    /// Bytes of `axml` as the file has them; nil where there is none.
    package var documentSize: Int? { document?.size }
    /// Whether there is a compressed model (`bxml`) and none besides.
    package let isCompressed: Bool

    /// Finds them; nil without `chna`, or with one that has no rows: the file then says nothing of its tracks, whatever
    /// else an `axml` chunk may hold (EBU Tech 3285, supplement 5).
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

    /// The bytes of `chna`, as many as the file has of it: a few kilobytes, 2.6 MB at most.
    package func readAllocation() -> [UInt8] {
        // 65535 rows, see `TrackRow` of ADM.
        read(allocation, limit: 4 + 40 * 65_535) ?? []
    }

    /// The bytes of `axml`; nil without one, or where the file ends before it does.
    package func readDocument() -> [UInt8]? { document.flatMap { read($0, limit: $0.size) } }

    private func read(_ chunk: FileChunks.Chunk, limit: Int) -> [UInt8]? {
        FileChunks.bytes(descriptor, at: chunk.offset, count: min(limit, chunk.size))
    }
}
