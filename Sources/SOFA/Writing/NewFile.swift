import Glibc
import Takes

/// A file that appears under its name only when it is complete.
struct NewFile {
    let path: String
    let isReplacing: Bool
    private let place: OutputPlace

    /// Where it is written until then: in the same folder, with a name of this process's own.
    static func partialPath(of path: String) -> String { "\(OutputPlace(path).resolved).\(getpid()).partial" }

    /// Where it is written.
    var partialPath: String { "\(place.resolved).\(getpid()).partial" }

    /// Throws `occupied` where there is a file already and it is not to be replaced, `unwritable` for what is no file.
    init(path: String, isReplacing: Bool) throws(SOFAError) {
        (self.path, self.isReplacing, place) = (path, isReplacing, OutputPlace(path))
        guard path != "-" else { throw .unwritable(path: path, reason: TakeError.standardStream.description) }
        switch place.occupant {
        case .none: break
        case .file: if !isReplacing { throw .occupied(path: path) }
        case .folder, .device: throw .unwritable(path: path, reason: "it is a folder, a device or a pipe; name a file")
        }
    }

    /// Gives what was written its name, on the disk.
    ///
    /// - Throws: `occupied` where a file has come up meanwhile that is not to be replaced, `unwritable`; what was
    ///   written is removed then.
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

    /// Removes what was written.
    func drop() { unlink(partialPath) }

    private func failed(_ code: Int32) -> SOFAError {
        let reason = String(cString: strerror(code))
        drop()
        return .unwritable(path: path, reason: reason)
    }
}
