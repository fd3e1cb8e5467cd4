import Foundation
import Gate
import Glibc
import Loading
import Synchronization

/// Lock of a session's folder: two sessions that save to one folder would overwrite each other.
///
/// The lock ends with the process. No lock is held if its file cannot be made, as in a folder that may only be read and
/// into which no session saves, or if the file system does not support locks.
package final class SessionLock: Sendable {
    private let file = Mutex<Int32>(-1)

    /// Locks the folder. Creates a missing folder.
    ///
    /// - Parameter name: name of the session, shown to other sessions that are refused.
    /// - Throws: `SessionError` if the folder cannot be made, or another session has the lock.
    package init(_ folder: String, by name: String) throws(SessionError) {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw SessionError(.environment, "\(folder) cannot be made: \(error.localizedDescription)")
        }
        let path = folder + "/.lock"
        var opened = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o666)
        // In a folder of several users the file may be another user's. A file that may only be read can be locked too.
        if opened < 0, errno == EACCES || errno == EROFS { opened = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) }
        guard opened >= 0 else {
            guard errno == ELOOP else { return }
            throw SessionError(.input, "\(path) is a symbolic link, which is not followed; remove it")
        }
        let code = FileLock.take(opened)
        if code != 0 {
            close(opened)
            guard code == EWOULDBLOCK else { return }
            let owner = (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: "\n").first
            throw SessionError(
                .environment,
                "\(folder) is open in another session already" + (owner.map { ": \($0)" } ?? "")
                    + "; end that first, or name another folder")
        }
        let words = Array("'\(name)', process \(getpid())\n".utf8)
        if ftruncate(opened, 0) == 0 { _ = words.withUnsafeBytes { write(opened, $0.baseAddress, $0.count) } }
        file.withLock { $0 = opened }
    }

    deinit { release() }

    /// Releases the folder. Idempotent.
    package func release() {
        let opened = file.withLock { file in
            defer { file = -1 }
            return file
        }
        if opened >= 0 { close(opened) }
    }
}
