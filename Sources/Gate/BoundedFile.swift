import Glibc

/// Reads a whole file that comes from outside the program, up to a maximum length. The limit also bounds the memory for
/// devices that never end and for extremely long files.
package enum BoundedFile {
    /// Reason why a file is not read.
    package enum Refusal: Error, Hashable, Sendable, CustomStringConvertible {
        /// The system cannot open or read the file. `code`: error number.
        case system(code: Int32)
        /// The file is longer than `most` bytes.
        case tooLong(most: Int)

        /// Fault, without the path.
        package var description: String {
            switch self {
            case .system(let code): String(cString: strerror(code))
            case .tooLong(let most): "it is longer than \(most) bytes, the limit for such files"
            }
        }
    }

    /// Returns the bytes of a file. Throws `tooLong` if there are more than `most`. Waits for data if the file is a
    /// pipe. O(bytes).
    package static func bytes(of path: String, most: Int) throws(Refusal) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw .system(code: errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(code: errno) }
        var bytes: [UInt8] = []
        if status.st_mode & S_IFMT == S_IFREG {
            guard status.st_size <= most else { throw .tooLong(most: most) }
            bytes.reserveCapacity(Int(status.st_size))
        }
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0 {
                guard errno == EINTR else { throw .system(code: errno) }
                continue
            }
            guard count > 0 else { return bytes }
            guard count <= most - bytes.count else { throw .tooLong(most: most) }
            bytes += chunk[..<count]
        }
    }
}
