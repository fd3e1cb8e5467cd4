import CDevices
import Foundation
import Gate
import Glibc
import Loading

/// Unix sockets of a user's sessions: `NAME.sock` in a folder that only this user can access.
package enum SessionSockets {
    /// Folder of the sockets: `$XDG_RUNTIME_DIR/proscenium`, or `proscenium-UID` in the system's temporary folder if
    /// that variable does not name an existing folder by an absolute path.
    package static var folder: String {
        // A missing runtime folder is not created here.
        guard let runtime = BaseFolder.runtime.named(in: ProcessInfo.processInfo.environment),
            FileManager.default.fileExists(atPath: runtime)
        else { return "\(P_tmpdir)/proscenium-\(getuid())" }
        return runtime + "/proscenium"
    }

    /// Returns the path of a session's socket from the session's name.
    package static func path(of name: String) -> String {
        folder + "/" + name.replacingOccurrences(of: "/", with: "_") + ".sock"
    }

    /// Returns the names of the sessions that are running, in alphabetical order.
    package static func running() -> [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.filter { $0.hasSuffix(".sock") }.map { String($0.dropLast(5)) }.filter(answers).sorted()
    }

    /// Returns whether a session listens at the socket of a name.
    static func answers(_ name: String) -> Bool { isTaken(path(of: name)) }

    /// Returns whether a session listens at the socket of a path.
    static func isTaken(_ path: String) -> Bool {
        let descriptor = pcd_unix_connect(path)
        // A session whose queue of connections is full refuses the connection, but it is running.
        guard descriptor >= 0 else { return descriptor == -EAGAIN }
        pcd_close(descriptor)
        return true
    }

    /// Reserved path of a socket. No other session can claim a path until `end` is called.
    package struct Claim: Sendable {
        /// Path of the socket.
        package let path: String
        fileprivate let lock: Int32

        /// Releases the lock, so that other sessions can claim a path. Must be called when the session listens or has
        /// failed.
        package func end() { pcd_close(lock) }
    }

    /// Reserves a path for a new session. The file has the session's name, with a number if another session uses that
    /// name. The caller must call `end` when the session listens or has failed.
    ///
    /// - Throws: an error if the folder cannot be created for this user only or cannot be locked, if another session
    ///   has held the lock for five seconds, if no name is free, or if the path is too long for a socket.
    package static func claim(_ name: String) async throws(SessionError) -> Claim {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw SessionError(.environment, "\(folder) cannot be made: \(error.localizedDescription)")
        }
        var found = stat()
        // All users may write to the temporary folder, so another user may have created this folder first.
        guard stat(folder, &found) == 0, found.st_uid == getuid(), found.st_mode & 0o077 == 0 else {
            throw SessionError(.environment, "\(folder) can be used by other users; remove it, or set XDG_RUNTIME_DIR")
        }
        let lock = try await lockFolder()
        do throws(SessionError) { return Claim(path: try freePath(name), lock: lock) } catch {
            pcd_close(lock)
            throw error
        }
    }

    /// Opens and locks the lock file. Returns its descriptor. Only one process at a time holds the lock; closing the
    /// file releases it.
    private static func lockFolder() async throws(SessionError) -> Int32 {
        let file = folder + "/lock"
        let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw SessionError(.environment, "\(file) cannot be opened: \(String(cString: strerror(errno)))")
        }
        for _ in 0..<250 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
            let code = errno
            guard code == EWOULDBLOCK || code == EINTR else {
                pcd_close(descriptor)
                throw SessionError(.environment, "\(file) cannot be locked: \(String(cString: strerror(code)))")
            }
            try? await Task.sleep(for: .milliseconds(20))
        }
        pcd_close(descriptor)
        throw SessionError(
            .environment,
            "another session has been opening its socket for five seconds (it holds \(file)); is it stopped?")
    }

    private static func freePath(_ name: String) throws(SessionError) -> String {
        let free = ([name] + (2...99).map { "\(name)-\($0)" }).first { !answers($0) }
        guard let free else { throw SessionError(.environment, "a hundred sessions are called '\(name)' already") }
        let path = path(of: free)
        guard path.utf8.count < 108 else {
            throw SessionError(.environment, "\(path) is longer than a socket's name may be; set XDG_RUNTIME_DIR")
        }
        return path
    }
}
