import CSndFile
import Glibc

/// A sound file with a header that libsndfile can read: the same bytes except for a few of the header.
///
/// ITU-R BS.2088-1 derived BW64 from RF64 with the same chunks; libsndfile 1.2.0 supports only the older name. It also
/// does not skip the padding byte after a chunk of odd size in such a file, and then misses the sound: such chunks get
/// a size that includes the byte. If libsndfile misreads the sound's length (`FileChunks.hidesLength`), the header gets
/// the file's length. Owns the descriptor. One thread at a time.
final class MendedHeader {
    private let descriptor: Int32
    private let size: sf_count_t
    /// Bytes that replace those of the file.
    private let patches: [(offset: Int, bytes: [UInt8])]
    private var position: sf_count_t = 0

    /// Takes over a descriptor; nil if libsndfile reads the file as it is: the caller then keeps the descriptor.
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

    /// Returns the replacements for missing or wrong lengths.
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

    /// Opens the file in libsndfile; nil on failure. This object must outlive the returned handle.
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
        // The offset may come from the file's header, with any value.
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
