import CDevices
import Foundation
import Glibc
import Session

/// Where sessions of one user have their sockets: `NAME.sock` in a folder that is theirs alone.
package enum SessionSockets {
    /// `$XDG_RUNTIME_DIR/proscenium`, or `proscenium-UID` in the system's folder for temporary files where there is no such
    /// place: the same for all of a user's processes, whatever their environment.
    package static var folder: String {
        let runtime = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"].flatMap { $0.isEmpty ? nil : $0 }
        // A place that nobody has made is none of this session's to make.
        guard let runtime, FileManager.default.fileExists(atPath: runtime) else {
            return "\(P_tmpdir)/proscenium-\(getuid())"
        }
        return runtime + "/proscenium"
    }

    /// The socket of a session by its name.
    package static func path(of name: String) -> String {
        folder + "/" + name.replacingOccurrences(of: "/", with: "_") + ".sock"
    }

    /// Names of the sessions that answer now, in alphabetical order.
    package static func running() -> [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.filter { $0.hasSuffix(".sock") }.map { String($0.dropLast(5)) }.filter(answers).sorted()
    }

    /// Whether somebody listens at the socket of a name.
    static func answers(_ name: String) -> Bool {
        let descriptor = pcd_unix_connect(path(of: name))
        // One that is held up takes nobody up, and is there.
        guard descriptor >= 0 else { return descriptor == -EAGAIN }
        pcd_close(descriptor)
        return true
    }

    /// A path for a new session: its name, or the name and a number where another session has it.
    ///
    /// - Throws: where the folder cannot be had for its user alone.
    package static func claim(_ name: String) throws(SessionError) -> String {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw SessionError(.environment, "\(folder) cannot be made: \(error.localizedDescription)")
        }
        var found = stat()
        // In a place that all may write to, somebody else may have made it first.
        guard stat(folder, &found) == 0, found.st_uid == getuid(), found.st_mode & 0o077 == 0 else {
            throw SessionError(.environment, "\(folder) is not its user's alone; take it away, or set XDG_RUNTIME_DIR")
        }
        let free = ([name] + (2...99).map { "\(name)-\($0)" }).first { !answers($0) }
        guard let free else { throw SessionError(.environment, "a hundred sessions are called '\(name)' already") }
        let path = path(of: free)
        guard path.utf8.count < 108 else {
            throw SessionError(.environment, "\(path) is longer than a socket's name may be; set XDG_RUNTIME_DIR")
        }
        return path
    }
}
