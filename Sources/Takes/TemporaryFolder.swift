import Foundation
import Gate
import Glibc
import Synchronization

/// Folder `proscenium-UUID` in the folder for temporary files (`TMPDIR`, else `/tmp`).
///
/// It is removed with the last reference to it, and at the latest when the process ends, also in haste. The process
/// locks a file in it for as long, so that the folder of a process that was killed is known as such: `removeStale` of a
/// later process removes it. Any thread but the audio thread.
package final class TemporaryFolder: Sendable {
    /// Path of the folder, whether or not it is made.
    package let path: String
    /// Descriptor of the locked file; nil while the folder is not made.
    private let lock = Mutex<Int32?>(nil)

    /// Name of the locked file.
    static let lockName = ".lock"
    /// Beginning of the folders' names; a UUID follows.
    private static let prefix = "proscenium-"

    /// Path of the folder for temporary files.
    package static var parent: String { FileManager.default.temporaryDirectory.path }

    /// Folders that this process has made, by their paths.
    private static let made = Mutex<Set<String>>([])
    /// Has the folders removed when the process ends; evaluated with the first folder.
    private static let removesAtEnd: Void = {
        atexit { TemporaryFolder.removeAll() }
        _ = Unfinished.add { TemporaryFolder.removeAll() }
    }()

    /// Chooses an unused path.
    package init(in parent: String = TemporaryFolder.parent) {
        path = parent + "/" + Self.prefix + UUID().uuidString
    }

    deinit { remove() }

    /// Makes the folder, unless it is made already.
    ///
    /// - Throws: `system`.
    package func make() throws(TakeError) {
        try lock.withLock { (lock) throws(TakeError) in
            guard lock == nil else { return }
            _ = Self.removesAtEnd
            lock = try Self.lockedFolder(path)
            Self.made.withLock { _ = $0.insert(path) }
        }
    }

    /// Removes the folder with all that it holds.
    package func remove() {
        let held = lock.withLock { lock in
            defer { lock = nil }
            return lock
        }
        guard let held else { return }
        Self.made.withLock { _ = $0.remove(path) }
        try? FileManager.default.removeItem(atPath: path)
        // The lock goes last: until then no other process takes the folder for a stale one.
        close(held)
    }

    private static func removeAll() {
        for path in made.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: path) }
    }

    /// Makes a folder and locks its file. Returns the file's descriptor.
    private static func lockedFolder(_ path: String) throws(TakeError) -> Int32 {
        for _ in 0..<4 {
            guard mkdir(path, 0o700) == 0 else { throw .system(path: path, code: errno) }
            let name = path + "/" + lockName
            let file = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard file >= 0 else {
                let code = errno
                rmdir(path)
                throw .system(path: path, code: code)
            }
            // Without locks in the file system the folder is never taken for a stale one.
            let code = FileLock.take(file)
            if code != EWOULDBLOCK, state(of: name)?.st_ino == state(of: file)?.st_ino { return file }
            // Another process saw the file before it was locked, and removed it.
            close(file)
        }
        throw .system(path: path, code: EAGAIN)
    }

    // MARK: - Folders of other processes

    /// Removes the folders that processes of this user made and left when they were killed. Folders without a lock file
    /// and those of other users stay, links are not followed.
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

    /// Returns the state of an entry, of a link itself; nil without one.
    private static func state(of path: String) -> stat? {
        var state = stat()
        return lstat(path, &state) == 0 ? state : nil
    }

    private static func state(of file: Int32) -> stat? {
        var state = stat()
        return fstat(file, &state) == 0 ? state : nil
    }
}
