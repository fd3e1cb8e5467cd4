import Glibc

/// A file that appears under its name only when it is complete.
struct NewFile {
    let path: String
    let isReplacing: Bool

    /// Where it is written until then: in the same folder, with a name of this process's own.
    static func partialPath(of path: String) -> String { "\(path).\(getpid()).partial" }

    /// Where it is written.
    var partialPath: String { NewFile.partialPath(of: path) }

    /// Throws `occupied` where there is a file already and it is not to be replaced.
    init(path: String, isReplacing: Bool) throws(SOFAError) {
        (self.path, self.isReplacing) = (path, isReplacing)
        var status = stat()
        if !isReplacing, lstat(path, &status) == 0 { throw .occupied(path: path) }
    }

    /// Gives what was written its name, on the disk. Where it is not to replace anything it is linked, which the system
    /// refuses where somebody else was quicker; a file system without links (FAT) is only looked at before.
    func finish() throws(SOFAError) {
        let descriptor = open(partialPath, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failed() }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failed() }
        if !isReplacing {
            if link(partialPath, path) == 0 {
                unlink(partialPath)
                return
            }
            guard errno != EEXIST else {
                drop()
                throw .occupied(path: path)
            }
            guard [EPERM, ENOTSUP, EMLINK].contains(errno) else { throw failed() }
        }
        guard rename(partialPath, path) == 0 else { throw failed() }
    }

    /// Removes what was written.
    func drop() { unlink(partialPath) }

    private func failed() -> SOFAError {
        let reason = String(cString: strerror(errno))
        drop()
        return .unwritable(path: path, reason: reason)
    }
}
