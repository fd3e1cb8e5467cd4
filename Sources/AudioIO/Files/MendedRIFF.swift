import CSndFile
import Glibc

/// An RF64 or BW64 file as libsndfile can read it: the same bytes, but for a few.
///
/// ITU-R BS.2088-1 made BW64 from RF64 and kept its chunks; libsndfile 1.2.0 knows only the older name, and does not step
/// over the byte that follows a chunk of odd size in such a file, so that it misses the sound behind it: such chunks are
/// shown to it with that byte counted in. Owns the descriptor. One thread at a time.
final class MendedRIFF {
    private let descriptor: Int32
    private let size: sf_count_t
    /// What stands at some places in place of what the file has there.
    private let patches: [(offset: Int, bytes: [UInt8])]
    private var position: sf_count_t = 0

    /// Takes over a descriptor; nil, and the descriptor stays the caller's, where libsndfile reads the file as it is.
    init?(descriptor: Int32, chunks: FileChunks) {
        guard chunks.container == .rf64 || chunks.container == .bw64 else { return nil }
        var patches: [(offset: Int, bytes: [UInt8])] = []
        if chunks.container == .bw64 { patches.append((0, Array("RF64".utf8))) }
        for chunk in chunks.chunks.prefix(while: { $0.name != "data" }) where chunk.size & 1 == 1 {
            let even = UInt32(truncatingIfNeeded: chunk.size + 1)
            patches.append((chunk.offset - 4, (0..<4).map { UInt8(truncatingIfNeeded: even >> (8 * $0)) }))
        }
        guard !patches.isEmpty else { return nil }
        self.patches = patches
        self.descriptor = descriptor
        size = sf_count_t(chunks.fileSize)
    }

    deinit { close(descriptor) }

    /// Opens it; nil where libsndfile refuses. This object must live as long as what is returned.
    func open(_ info: inout SF_INFO) -> OpaquePointer? {
        var calls = SF_VIRTUAL_IO(
            get_filelen: { MendedRIFF.behind($0).size },
            seek: { offset, whence, user in MendedRIFF.behind(user).seek(offset, whence) },
            read: { target, count, user in MendedRIFF.behind(user).read(target, count) },
            write: { _, _, _ in 0 },
            tell: { MendedRIFF.behind($0).position })
        return sf_open_virtual(&calls, Int32(SFM_READ), &info, Unmanaged.passUnretained(self).toOpaque())
    }

    private static func behind(_ user: UnsafeMutableRawPointer?) -> MendedRIFF {
        Unmanaged<MendedRIFF>.fromOpaque(user!).takeUnretainedValue()
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
