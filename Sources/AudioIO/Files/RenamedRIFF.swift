import CSndFile
import Glibc

/// A BW64 file as libsndfile can read it: the same bytes, but for its first four, which say RF64.
///
/// ITU-R BS.2088-1 made BW64 from RF64 and kept its chunks; libsndfile 1.2.0 knows only the older name. Owns the
/// descriptor. One thread at a time.
final class RenamedRIFF {
    private let descriptor: Int32
    private let size: sf_count_t
    private var position: sf_count_t = 0

    /// Takes over a descriptor.
    init(descriptor: Int32, size: Int) {
        self.descriptor = descriptor
        self.size = sf_count_t(size)
    }

    deinit { close(descriptor) }

    /// Opens it; nil where libsndfile refuses. This object must live as long as what is returned.
    func open(_ info: inout SF_INFO) -> OpaquePointer? {
        var calls = SF_VIRTUAL_IO(
            get_filelen: { RenamedRIFF.behind($0).size },
            seek: { offset, whence, user in RenamedRIFF.behind(user).seek(offset, whence) },
            read: { target, count, user in RenamedRIFF.behind(user).read(target, count) },
            write: { _, _, _ in 0 },
            tell: { RenamedRIFF.behind($0).position })
        return sf_open_virtual(&calls, Int32(SFM_READ), &info, Unmanaged.passUnretained(self).toOpaque())
    }

    private static func behind(_ user: UnsafeMutableRawPointer?) -> RenamedRIFF {
        Unmanaged<RenamedRIFF>.fromOpaque(user!).takeUnretainedValue()
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
        let name = Array("RF64".utf8)
        for i in 0..<min(got, max(0, 4 - Int(position))) {
            target.storeBytes(of: name[Int(position) + i], toByteOffset: i, as: UInt8.self)
        }
        position += sf_count_t(got)
        return sf_count_t(got)
    }
}
