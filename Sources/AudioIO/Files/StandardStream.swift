import Glibc
import Synchronization
import Takes

/// Standard input and output as sound files, written `-`.
///
/// Sound is read more than once and its length must be known at the beginning, so standard input is first stored whole
/// in a file without a name, in `TMPDIR`, else `/var/tmp`. Output is stored likewise, and copied to standard output
/// when it is complete: the bytes are those of a file.
package enum StandardStream {
    /// The name.
    package static let name = "-"

    /// Descriptor of the stored input; nil before the first use.
    private static let stored = Mutex<Int32?>(nil)

    /// Returns a new descriptor of the stored input, at its first byte; the caller closes it.
    ///
    /// - Throws: `system` where it cannot be read or stored; `diskFull`.
    static func openInput() throws(SoundFileError) -> Int32 {
        let source = try stored.withLock { (kept) throws(SoundFileError) in
            if let kept { return kept }
            let made = try store()
            kept = made
            return made
        }
        // A separate file description has a separate position.
        let descriptor = open("/proc/self/fd/\(source)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .from(errno: errno, path: name) }
        return descriptor
    }

    private static func store() throws(SoundFileError) -> Int32 {
        guard isatty(0) == 0 else {
            throw .system(path: name, reason: "standard input is a terminal; send sound into it, or name a file")
        }
        let (target, path) = temporary()
        guard target >= 0 else { throw .from(errno: errno, path: folder) }
        unlink(path)
        do throws(SoundFileError) { try copy(0, to: target) } catch {
            close(target)
            throw error
        }
        return target
    }

    /// Copies a complete file to standard output.
    ///
    /// - Throws: `readerEnded` where the reader of a pipe is gone.
    static func publish(_ path: String) throws(SoundFileError) {
        let source = open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { throw .from(errno: errno, path: path) }
        defer { close(source) }
        try copy(source, to: 1)
    }

    /// Opens a temporary file for an output; descriptor < 0 and errno where that fails.
    static func temporary() -> (descriptor: Int32, name: String) {
        TemporaryFile.open(beside: folder + "/proscenium-stream")
    }

    /// Folder for temporary files: large ones do not belong into memory, where `/tmp` may lie.
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
