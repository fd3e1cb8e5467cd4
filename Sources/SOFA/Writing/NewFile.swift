import Glibc
import Takes

/// A file that gets its name only when it is complete.
struct NewFile {
    let path: String
    let isReplacing: Bool
    private let place: OutputPlace

    /// Returns the path of the partial file, which is in the same folder and has the id of this process in its name.
    static func partialPath(of path: String) -> String { "\(OutputPlace(path).resolved).\(getpid()).partial" }

    /// Path of the partial file.
    var partialPath: String { "\(place.resolved).\(getpid()).partial" }

    /// Throws `occupied` if the file exists and must not be replaced. Throws `unwritable` if the path is `-` or that of
    /// a folder, a device or a pipe.
    init(path: String, isReplacing: Bool) throws(SOFAError) {
        (self.path, self.isReplacing, place) = (path, isReplacing, OutputPlace(path))
        guard path != "-" else { throw .unwritable(path: path, reason: TakeError.standardStream.description) }
        switch place.occupant {
        case .none: break
        case .file: if !isReplacing { throw .occupied(path: path) }
        case .folder, .device: throw .unwritable(path: path, reason: "it is a folder, a device or a pipe; name a file")
        }
    }

    /// Flushes the partial file to disk and gives it its final name.
    ///
    /// - Throws: `occupied` if a file that must not be replaced has appeared meanwhile. `unwritable` if the system
    ///   reports an error. The partial file is then removed.
    func finish() throws(SOFAError) {
        let descriptor = open(partialPath, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failed(errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failed(errno) }
        do throws(TakeError) {
            try UnnamedFile.publish([UnnamedFile(at: partialPath, for: place, replaces: isReplacing)])
        } catch {
            switch error {
            case .exists: throw .occupied(path: path)
            case .system(_, let code): throw failed(code)
            default: throw .unwritable(path: path, reason: error.description)
            }
        }
    }

    /// Removes the partial file.
    func drop() { unlink(partialPath) }

    private func failed(_ code: Int32) -> SOFAError {
        let reason = String(cString: strerror(code))
        drop()
        return .unwritable(path: path, reason: reason)
    }
}
