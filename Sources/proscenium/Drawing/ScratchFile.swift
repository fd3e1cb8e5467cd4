import Foundation

/// A file that has no name, for what a child reads as its input or writes as its output.
///
/// Unlike a pipe it takes all that is written whether or not the child lives, raises no signal, and neither side waits.
struct ScratchFile {
    /// Open for both sides, at the offset of what was read or written last.
    let handle: FileHandle

    /// An empty file.
    ///
    /// - Throws: a `Failure` where the folder for temporary files takes none.
    init() throws {
        let folder = FileManager.default.temporaryDirectory.path
        var path = Array("\(folder)/proscenium.XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else {
            throw Failure(.environment, "no file can be made in \(folder): \(String(cString: strerror(errno)))")
        }
        unlink(path)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Fills it, and goes back to its beginning.
    func write(_ content: Data) throws {
        try handle.write(contentsOf: content)
        try handle.seek(toOffset: 0)
    }

    /// All of it.
    func read() throws -> Data {
        try handle.seek(toOffset: 0)
        return try handle.readToEnd() ?? Data()
    }
}
