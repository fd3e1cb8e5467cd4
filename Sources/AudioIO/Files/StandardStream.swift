import Glibc
import Synchronization
import Takes

/// Standard input and output as sound files, with the name `-`. Other pipes, and descriptors given by their names
/// (`/dev/fd/3`), are treated in the same way.
///
/// Sound is read more than once, and its length must be known at the beginning. Standard input is therefore first
/// stored completely in a file without a name, in `TMPDIR` or else `/var/tmp`. Output is stored in the same way, and
/// copied to standard output when it is complete. The bytes are the same as in a file.
package enum StandardStream {
    /// The name that stands for standard input or output.
    package static let name = "-"

    /// Descriptors of the stored inputs, by their paths.
    private static let stored = Mutex<[String: Int32]>([:])

    /// Returns the descriptor that a path names, as `/dev/stdout` does; nil for any other path.
    package static func descriptor(of path: String) -> Int32? {
        let standard: [String: Int32] = ["/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2]
        if let found = standard[path] { return found }
        let folder = ["/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/"].first { path.hasPrefix($0) }
        return folder.flatMap { Int32(path.dropFirst($0.count)) }
    }

    /// Returns `-` for a path that names standard output. Returns any other path as it is.
    package static func output(_ path: String) -> String { descriptor(of: path) == 1 ? name : path }

    /// Returns whether an input can be read only once: standard input, a pipe or a socket.
    static func isInput(_ path: String) -> Bool { path == name || isPipe(path) }

    /// Returns whether an output accepts bytes only in their order: a descriptor or a pipe.
    static func isOutput(_ path: String) -> Bool { path == name || descriptor(of: path) != nil || isPipe(path) }

    private static func isPipe(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
    }

    /// Returns a new descriptor of an output for which `isOutput` is true. It is negative, with errno set, if the
    /// output cannot be opened.
    ///
    /// The copy of a named descriptor shares the position in the file, so bytes are written after those that other
    /// programs have written.
    static func openOutput(_ path: String) -> Int32 {
        guard let number = path == name ? 1 : descriptor(of: path) else { return open(path, O_WRONLY | O_CLOEXEC) }
        return fcntl(number, F_DUPFD_CLOEXEC, 0)
    }

    /// Returns a new descriptor of the stored input, at its first byte. The caller closes it.
    ///
    /// - Throws: `system` if the input cannot be read or stored; `diskFull`.
    static func openInput(_ path: String) throws(SoundFileError) -> Int32 {
        let source = try stored.withLock { (kept) throws(SoundFileError) in
            if let found = kept[path] { return found }
            let made = try store(path)
            kept[path] = made
            return made
        }
        // A separate file description has a separate position.
        let descriptor = open("/proc/self/fd/\(source)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .from(errno: errno, path: name) }
        return descriptor
    }

    private static func store(_ path: String) throws(SoundFileError) -> Int32 {
        guard path != name || isatty(0) == 0 else {
            throw .system(path: name, reason: "standard input is a terminal; send sound into it, or name a file")
        }
        let source = path == name ? 0 : open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { throw .from(errno: errno, path: path) }
        defer { if source != 0 { close(source) } }
        let (target, file) = temporary()
        guard target >= 0 else { throw .from(errno: errno, path: folder) }
        unlink(file)
        do throws(SoundFileError) { try copy(source, to: target) } catch {
            close(target)
            throw error
        }
        return target
    }

    /// Copies a complete file to an output.
    ///
    /// - Throws: `readerEnded` if the reader of a pipe is gone, or another error of reading or writing.
    static func publish(_ path: String, to target: Int32) throws(SoundFileError) {
        let source = open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { throw .from(errno: errno, path: path) }
        defer { close(source) }
        try copy(source, to: target)
    }

    /// Opens a temporary file for an input or an output. The descriptor is negative, with errno set, if that fails.
    static func temporary() -> (descriptor: Int32, name: String) {
        TemporaryFile.open(beside: folder + "/proscenium-stream")
    }

    /// Folder for temporary files. `/tmp` is avoided, because it may lie in memory, which is too small for large files.
    private static var folder: String {
        let named = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        return named.isEmpty ? "/var/tmp" : named
    }

    private static func copy(_ source: Int32, to target: Int32) throws(SoundFileError) {
        let size = 1 << 20
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        defer { bytes.deallocate() }
        var total = 0
        while true {
            let got = Glibc.read(source, bytes, size)
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw .system(path: name, reason: String(cString: strerror(errno))) }
            if got == 0 { return }
            var done = 0
            while done < got {
                let written = Glibc.write(target, bytes + done, got - done)
                if written < 0, errno == EINTR { continue }
                guard written >= 0 else {
                    if errno == EPIPE { throw .readerEnded(bytes: total) }
                    throw .from(errno: errno, path: name)
                }
                done += written
                total += written
            }
        }
    }
}
