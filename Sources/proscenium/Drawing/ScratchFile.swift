import Foundation

/// A file without a name, for a child process's input or output.
///
/// Unlike a pipe, it accepts all bytes even after the child's end, raises no signal, and blocks neither side.
struct ScratchFile {
    /// Handle for reading and writing, at the offset of the last access.
    let handle: FileHandle

    /// Creates an empty file.
    ///
    /// - Throws: `Failure` if no file can be made in the folder for temporary files.
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

    /// Writes the content and seeks to the beginning.
    func write(_ content: Data) throws {
        try handle.write(contentsOf: content)
        try handle.seek(toOffset: 0)
    }

    /// Returns the whole content.
    func read() throws -> Data {
        try handle.seek(toOffset: 0)
        return try handle.readToEnd() ?? Data()
    }
}
