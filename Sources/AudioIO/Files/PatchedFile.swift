import CSndFile
import Glibc

/// A view of a file. libsndfile reads the view through its virtual I/O (`sf_open_virtual`). The view begins at a given
/// byte of the file, and some bytes are replaced. The object owns the descriptor. May be used by one thread at a time.
final class PatchedFile {
    /// Bytes that replace those of the file. The offset is in bytes from the first byte that is read.
    typealias Patch = (offset: Int, bytes: [UInt8])

    private let descriptor: Int32
    /// Offset of the first byte that is read.
    private let first: Int
    /// Number of bytes from the first one to the file's end.
    private let size: sf_count_t
    private let patches: [Patch]
    /// Position of the next byte, counted from the first one.
    private var position: sf_count_t = 0

    /// Takes ownership of a descriptor.
    ///
    /// - Parameters:
    ///   - first: Offset of the first byte to read, 0…`fileSize`.
    ///   - fileSize: Size of the whole file, bytes.
    init(descriptor: Int32, from first: Int = 0, fileSize: Int, patches: [Patch] = []) {
        (self.descriptor, self.first, size) = (descriptor, first, sf_count_t(fileSize - first))
        self.patches = patches
    }

    deinit { close(descriptor) }

    /// Opens the file in libsndfile. Returns nil on failure. This object must outlive the returned handle.
    func open(_ info: inout SF_INFO) -> OpaquePointer? {
        var calls = SF_VIRTUAL_IO(
            get_filelen: { PatchedFile.behind($0).size },
            seek: { offset, whence, user in PatchedFile.behind(user).seek(offset, whence) },
            read: { target, count, user in PatchedFile.behind(user).read(target, count) },
            write: { _, _, _ in 0 },
            tell: { PatchedFile.behind($0).position })
        return sf_open_virtual(&calls, Int32(SFM_READ), &info, Unmanaged.passUnretained(self).toOpaque())
    }

    private static func behind(_ user: UnsafeMutableRawPointer?) -> PatchedFile {
        Unmanaged<PatchedFile>.fromOpaque(user!).takeUnretainedValue()
    }

    private func seek(_ offset: sf_count_t, _ whence: Int32) -> sf_count_t {
        let base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? position : size
        // The offset may come from the file's header and have any value.
        let (place, overflow) = base.addingReportingOverflow(offset)
        position = overflow ? (offset < 0 ? 0 : size) : max(0, min(size, place))
        return position
    }

    private func read(_ target: UnsafeMutableRawPointer?, _ count: sf_count_t) -> sf_count_t {
        guard let target, count > 0 else { return 0 }
        let got = max(0, pread(descriptor, target, Int(count), off_t(first) + off_t(position)))
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
