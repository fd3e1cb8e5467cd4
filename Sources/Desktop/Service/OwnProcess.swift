import Foundation
import Gate
import Loading
import Processes

/// The process that runs the desktop's session where no systemd runs for the user. It holds the lock of a file with its
/// process id as long as it runs.
package struct OwnProcess: Sendable {
    /// Path of the file with its process id, and of its messages.
    private let mark: String, log: String

    /// Names the files in a folder of the user's own, which exists as long as the user is logged in.
    package init(in folder: String) { (mark, log) = (folder + "/desktop.pid", folder + "/desktop.log") }

    /// Path of the messages of the session that it runs.
    package var messages: String { log }

    /// Starts a command in a session of its own, which outlives this process and its terminal; its words go to
    /// `messages`.
    package func begin(running words: [String]) throws(SessionError) {
        unlink(mark)
        let folder = (mark as NSString).deletingLastPathComponent
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let script = #"umask 077; exec setsid --fork "$@" </dev/null >"$0" 2>&1"#
        let child: ChildProcess
        do throws(ProcessError) { child = try ChildProcess("/bin/sh", ["-c", script, log] + words) } catch {
            throw SessionError(.environment, error.description)
        }
        guard case .ended(.exited(0)) = child.next(within: 5) else {
            let reason = child.words.last ?? "'setsid --fork' failed (Debian: util-linux)"
            throw SessionError(.environment, "the session cannot be started: \(reason)")
        }
    }

    /// Marks this process as the running one. Returns the descriptor of the lock, which is held until the process ends;
    /// nil where another process has it.
    package func claim() -> Int32? {
        let file = open(mark, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return nil }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            close(file)
            return nil
        }
        ftruncate(file, 0)
        let text = Array("\(getpid())\n".utf8)
        write(file, text, text.count)
        return file
    }

    /// Whether a process has marked itself since its start was requested.
    package var hasBegun: Bool { FileManager.default.fileExists(atPath: mark) }

    /// Process id of the running one; nil where none runs.
    package var running: Int32? {
        let file = open(mark, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        defer { close(file) }
        guard flock(file, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return nil }
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = read(file, &bytes, bytes.count)
        let words = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        return Int(words.trimmingCharacters(in: .whitespacesAndNewlines), within: 2...Int(Int32.max)).map { Int32($0) }
    }

    /// Ends the running one, within eight seconds, and removes its files.
    package func end() {
        for signal in [SIGTERM, SIGKILL] {
            guard let process = running else { break }
            kill(process, signal)
            for _ in 0..<400 where running != nil { usleep(10_000) }
        }
        unlink(mark)
        unlink(log)
    }
}
