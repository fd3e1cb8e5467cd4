import Glibc

/// Examines a file before HDF5 opens it, so that common mistakes get a plain message.
enum FileProbe {
    /// Throws unless `path` is a readable regular file with HDF5's signature.
    static func check(_ path: String) throws(SOFAError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { throw .missing(path: path) }
            throw .unreadable(path: path, reason: String(cString: strerror(errno)))
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw .notAFile(path: path, kind: "a folder")
        case S_IFIFO: throw .notAFile(path: path, kind: "a pipe")
        default: throw .notAFile(path: path, kind: "a device or socket")
        }
        guard status.st_size > 0 else { throw .empty(path: path) }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadable(path: path, reason: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var head = [UInt8](repeating: 0, count: 512)
        let count = read(descriptor, &head, 512)
        guard count >= 0 else { throw .unreadable(path: path, reason: String(cString: strerror(errno))) }
        head.removeLast(512 - count)
        if hasSignature(descriptor, size: Int64(status.st_size)) { return }
        try recognise(head, path: path)
    }

    /// Returns whether HDF5's signature is at byte 0, or after a user block at 512, 1024, 2048 … 2²⁴.
    private static func hasSignature(_ descriptor: Int32, size: Int64) -> Bool {
        let signature: [UInt8] = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a]
        var offset: Int64 = 0
        while offset + 8 <= size && offset <= 1 << 24 {
            var bytes = [UInt8](repeating: 0, count: 8)
            if pread(descriptor, &bytes, 8, off_t(offset)) == 8, bytes == signature { return true }
            offset = offset == 0 ? 512 : offset * 2
        }
        return false
    }

    /// Throws an error that names the format of the first bytes.
    private static func recognise(_ head: [UInt8], path: String) throws(SOFAError) {
        let text = String(decoding: head, as: UTF8.self).lowercased()
        let trimmed = text.drop { $0.isWhitespace || $0 == "\u{feff}" }
        func begins(_ bytes: [UInt8]) -> Bool { head.starts(with: bytes) }
        let (kind, advice): (String, String)
        if trimmed.hasPrefix("<!doctype html") || trimmed.hasPrefix("<html") || text.contains("<head") {
            (kind, advice) = (
                "a web page (HTML)", "the download gave an error or a login page; download the file itself"
            )
        } else if trimmed.hasPrefix("version https://git-lfs") {
            (kind, advice) = ("a Git LFS pointer", "fetch the real file with `git lfs pull`")
        } else if begins([0x1f, 0x8b]) {
            (kind, advice) = ("gzip-compressed", "unpack it with gunzip")
        } else if begins(Array("PK".utf8)) {
            (kind, advice) = ("a zip archive", "unpack it")
        } else if begins(Array("CDF".utf8)) {
            (kind, advice) = ("a netCDF-3 file", "convert it with `nccopy -k nc4 IN OUT`")
        } else if begins(Array("RIFF".utf8)) {
            (kind, advice) = ("a RIFF file (WAV)", "name a .sofa file")
        } else if begins(Array("MATLAB".utf8)) {
            (kind, advice) = ("a Matlab file", "export it with the SOFA toolbox")
        } else if head.allSatisfy({ $0 == 0 }) {
            (kind, advice) = ("filled with zeros", "download it again")
        } else if head.allSatisfy({ $0 >= 9 && $0 < 127 }) {
            (kind, advice) = ("a text file", "name a .sofa file")
        } else {
            (kind, advice) = ("no HDF5 file (its signature is missing)", "download it again, or name another")
        }
        throw .foreign(path: path, kind: kind, advice: advice)
    }
}
