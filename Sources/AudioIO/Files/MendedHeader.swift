import CSndFile
import Glibc

/// A sound file as libsndfile can read it: the same bytes, but for a few of its header.
///
/// ITU-R BS.2088-1 made BW64 from RF64 and kept its chunks; libsndfile 1.2.0 knows only the older name, and does not
/// step over the byte that follows a chunk of odd size in such a file, so that it misses the sound behind it: such
/// chunks are shown to it with that byte counted in. Where libsndfile does not find the sound's length
/// (`FileChunks.hidesLength`), it is shown the length that the file has. Owns the descriptor. One thread at a time.
final class MendedHeader {
    private let descriptor: Int32
    private let size: sf_count_t
    /// What stands at some places in place of what the file has there.
    private let patches: [(offset: Int, bytes: [UInt8])]
    private var position: sf_count_t = 0

    /// Takes over a descriptor; nil, and the descriptor stays the caller's, where libsndfile reads the file as it is.
    init?(descriptor: Int32, chunks: FileChunks) {
        var patches = Self.lengths(chunks)
        if chunks.container == .bw64 { patches.append((0, Array("RF64".utf8))) }
        if chunks.container == .rf64 || chunks.container == .bw64 {
            for chunk in chunks.chunks.prefix(while: { $0.name != "data" }) where chunk.size & 1 == 1 {
                patches.append((chunk.offset - 4, chunks.bytes(of: chunk.size + 1, count: 4)))
            }
        }
        guard !patches.isEmpty else { return nil }
        self.patches = patches
        self.descriptor = descriptor
        size = sf_count_t(chunks.fileSize)
    }

    deinit { close(descriptor) }

    /// Lengths in place of those that the header does not have.
    private static func lengths(_ chunks: FileChunks) -> [(offset: Int, bytes: [UInt8])] {
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

    /// Opens it; nil where libsndfile refuses. This object must live as long as what is returned.
    func open(_ info: inout SF_INFO) -> OpaquePointer? {
        var calls = SF_VIRTUAL_IO(
            get_filelen: { MendedHeader.behind($0).size },
            seek: { offset, whence, user in MendedHeader.behind(user).seek(offset, whence) },
            read: { target, count, user in MendedHeader.behind(user).read(target, count) },
            write: { _, _, _ in 0 },
            tell: { MendedHeader.behind($0).position })
        return sf_open_virtual(&calls, Int32(SFM_READ), &info, Unmanaged.passUnretained(self).toOpaque())
    }

    private static func behind(_ user: UnsafeMutableRawPointer?) -> MendedHeader {
        Unmanaged<MendedHeader>.fromOpaque(user!).takeUnretainedValue()
    }

    private func seek(_ offset: sf_count_t, _ whence: Int32) -> sf_count_t {
        let base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? position : size
        // The offset may come out of the file's own header: it may be any number.
        let (place, overflow) = base.addingReportingOverflow(offset)
        position = overflow ? (offset < 0 ? 0 : size) : max(0, min(size, place))
        return position
    }

    private func read(_ target: UnsafeMutableRawPointer?, _ count: sf_count_t) -> sf_count_t {
        guard let target, count > 0 else { return 0 }
        let got = max(0, pread(descriptor, target, Int(count), off_t(position)))
        for patch in patches {
            for (index, byte) in patch.bytes.enumerated() {
                let place = patch.offset + index - Int(position)
                if (0..<got).contains(place) { target.storeBytes(of: byte, toByteOffset: place, as: UInt8.self) }
            }
        }
        position += sf_count_t(got)
        return sf_count_t(got)
    }
}
