import Foundation
import Gate
import Glibc
import Synchronization

/// Folder for temporary files, in the folder `proscenium-UUID` of this process (in `TMPDIR`, else in `/tmp`).
///
/// It is removed when the last reference to it is released, and at the latest when the process ends, also on an early
/// exit (`Unfinished`). The folder of the process is removed with the last folder in it. Until then the process holds a
/// lock on a file in it, through one open descriptor. The folder of a process that was killed has no lock:
/// `removeStale` of a later process removes it. May be used on any thread but the audio thread.
package final class TemporaryFolder: Sendable {
    /// Path of the folder, whether or not it exists.
    package let path: String
    /// Path of the process's folder.
    let root: String
    private let isMade = Mutex(false)

    /// Name of the locked file.
    static let lockName = ".lock"
    /// Beginning of the names of processes' folders; a UUID follows.
    private static let prefix = "proscenium-"
    private static let name = prefix + UUID().uuidString
    /// Number of folders so far; it is the name of the last one.
    private static let count = Atomic(0)

    /// Path of the folder for temporary files.
    package static var parent: String { FileManager.default.temporaryDirectory.path }

    /// An existing folder of this process.
    private struct Root {
        /// Descriptor of the locked file.
        let lock: Int32
        /// Number of folders in it.
        var users = 1
    }

    /// The existing folders of this process, by their paths.
    private static let roots = Mutex<[String: Root]>([:])
    /// Evaluating this constant, as the first `make` does, registers the removal of all folders at the end of the
    /// process.
    private static let removesAtEnd: Void = {
        atexit { TemporaryFolder.removeAll() }
        _ = Unfinished.add { TemporaryFolder.removeAll() }
    }()

    /// Chooses an unused path.
    package init(in parent: String = TemporaryFolder.parent) {
        root = parent + "/" + Self.name
        path = root + "/\(Self.count.add(1, ordering: .relaxed).newValue)"
    }

    deinit { remove() }

    /// Makes the folder, unless it exists already.
    ///
    /// - Throws: `system`.
    package func make() throws(TakeError) {
        try isMade.withLock { (isMade) throws(TakeError) in
            guard !isMade else { return }
            _ = Self.removesAtEnd
            try Self.enter(root)
            guard mkdir(path, 0o700) == 0 else {
                let code = errno
                Self.leave(root)
                throw .system(path: path, code: code)
            }
            isMade = true
        }
    }

    /// Removes the folder with its contents.
    package func remove() {
        let wasMade = isMade.withLock { isMade in
            defer { isMade = false }
            return isMade
        }
        guard wasMade else { return }
        try? FileManager.default.removeItem(atPath: path)
        Self.leave(root)
    }

    /// Counts one more folder in the process's folder. Makes the process's folder for the first one.
    private static func enter(_ root: String) throws(TakeError) {
        try roots.withLock { (roots) throws(TakeError) in
            if roots[root] != nil {
                roots[root]?.users += 1
            } else {
                roots[root] = Root(lock: try lockedFolder(root))
            }
        }
    }

    /// Counts one folder less. Removes the process's folder after the last one.
    private static func leave(_ root: String) {
        roots.withLock { roots in
            roots[root]?.users -= 1
            guard let left = roots[root], left.users == 0 else { return }
            roots[root] = nil
            try? FileManager.default.removeItem(atPath: root)
            // The lock is released last: no other process regards the folder as stale while it exists.
            close(left.lock)
        }
    }

    private static func removeAll() {
        for path in roots.withLock({ Array($0.keys) }) { try? FileManager.default.removeItem(atPath: path) }
    }

    /// Makes a folder with a lock file, and locks the file. Returns the file's descriptor. If a folder of that name
    /// exists, waits up to 80 ms for its removal.
    private static func lockedFolder(_ path: String) throws(TakeError) -> Int32 {
        var fault = EAGAIN
        for _ in 0..<16 {
            guard mkdir(path, 0o700) == 0 else {
                fault = errno
                guard fault == EEXIST else { throw .system(path: path, code: fault) }
                usleep(5000)
                continue
            }
            let name = path + "/" + lockName
            let file = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard file >= 0 else {
                let code = errno
                rmdir(path)
                throw .system(path: path, code: code)
            }
            // If the file system has no locks, the folder is used without one. No process then regards it as stale.
            let code = FileLock.take(file)
            if code != EWOULDBLOCK, state(of: name)?.st_ino == state(of: file)?.st_ino { return file }
            // Another process found the file before it was locked, and removes the folder.
            close(file)
        }
        throw .system(path: path, code: fault)
    }

    // MARK: - Folders of other processes

    /// Removes the folders that processes of this user made and left when they were killed. Folders without a lock file
    /// and those of other users stay. Links are not followed.
    package static func removeStale(in parent: String = TemporaryFolder.parent) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        where name.hasPrefix(prefix) && UUID(uuidString: String(name.dropFirst(prefix.count))) != nil {
            removeIfStale(parent + "/" + name)
        }
    }

    private static func removeIfStale(_ path: String) {
        guard let folder = state(of: path), folder.st_mode & S_IFMT == S_IFDIR, folder.st_uid == geteuid()
        else { return }
        let file = open(path + "/" + lockName, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return }
        defer { close(file) }
        guard let lock = state(of: file), lock.st_mode & S_IFMT == S_IFREG, lock.st_uid == geteuid(),
            !FileLock.isTaken(file), FileLock.take(file) == 0
        else { return }
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Returns the state of a file, or of a link and not of its target; nil if it cannot be read.
    private static func state(of path: String) -> stat? {
        var state = stat()
        return lstat(path, &state) == 0 ? state : nil
    }

    private static func state(of file: Int32) -> stat? {
        var state = stat()
        return fstat(file, &state) == 0 ? state : nil
    }
}
