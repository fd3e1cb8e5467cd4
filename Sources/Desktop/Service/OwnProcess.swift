import Foundation
import Gate
import Loading
import Processes

/// The process that runs the desktop's session if no systemd runs for the user. As long as it runs, it holds a lock on
/// a file that contains its process id.
package struct OwnProcess: Sendable {
    /// Paths of the file with the process id and of the file with the session's messages.
    private let mark: String, log: String

    /// Describes a process whose files are in `folder`, a folder of the user that exists as long as the user is logged
    /// in.
    package init(in folder: String) { (mark, log) = (folder + "/desktop.pid", folder + "/desktop.log") }

    /// Path of the file with the session's messages.
    package var messages: String { log }

    /// Starts a command in a POSIX session of its own, so that it outlives this process and the terminal. The command's
    /// output goes to `messages`.
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

    /// Locks the file, and writes this process's id into it. Returns the descriptor of the lock, which is held until
    /// the process ends; nil if another process holds the lock.
    ///
    /// - Throws: an error if the file cannot be opened or locked.
    package func claim() throws(SessionError) -> Int32? {
        let file = open(mark, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else {
            throw SessionError(.environment, "\(mark) cannot be opened: \(String(cString: strerror(errno)))")
        }
        // `running` in another process takes the lock for a moment, to see whether it is free.
        for _ in 0..<50 {
            if flock(file, LOCK_EX | LOCK_NB) == 0 {
                note("\(getpid())", in: file)
                return file
            }
            let code = errno
            guard code == EWOULDBLOCK || code == EINTR else {
                close(file)
                throw SessionError(.environment, "\(mark) cannot be locked: \(String(cString: strerror(code)))")
            }
            usleep(10_000)
        }
        close(file)
        return nil
    }

    /// Whether the file on which `claim` took this lock still exists. At logout the system removes its folder.
    package func isMarked(by lock: Int32) -> Bool {
        var (held, found) = (stat(), stat())
        return fstat(lock, &held) == 0 && stat(mark, &found) == 0 && held.st_ino == found.st_ino
            && held.st_dev == found.st_dev
    }

    /// Writes the id of this process, and that of the session's process that it has started, into the locked file.
    package func note(session: Int32, in lock: Int32) { note("\(getpid()) \(session)", in: lock) }

    private func note(_ words: String, in file: Int32) {
        ftruncate(file, 0)
        let text = Array("\(words)\n".utf8)
        pwrite(file, text, text.count, 0)
    }

    /// Whether a process has written its id into the file since its start was requested.
    package var hasBegun: Bool { !noted.isEmpty }

    /// Process id of the running process; nil if none runs.
    package var running: Int32? {
        let file = open(mark, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        defer { close(file) }
        guard flock(file, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return nil }
        return noted.first
    }

    /// Process ids in the file: of the running process, and of the session.
    private var noted: [Int32] {
        let bytes = (try? BoundedFile.bytes(of: mark, most: 100)) ?? []
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
            .compactMap { Int($0, within: 2...Int(Int32.max)) }.map { Int32($0) }
    }

    /// Process id of the session; nil if it has ended. A later process with the same number is not taken for the
    /// session, because its arguments lack `--desktop`.
    private var session: Int32? {
        guard let process = noted.dropFirst().first,
            let words = try? BoundedFile.bytes(of: "/proc/\(process)/cmdline", most: 1 << 20),
            words.split(separator: 0).contains(where: { $0.elementsEqual("--desktop".utf8) })
        else { return nil }
        return process
    }

    /// Ends the running process and the session, within sixteen seconds, and removes both files.
    package func end() {
        for look in [{ self.running }, { self.session }] {
            for signal in [SIGTERM, SIGKILL] {
                guard let process = look() else { break }
                kill(process, signal)
                for _ in 0..<400 where look() != nil { usleep(10_000) }
            }
        }
        unlink(mark)
        unlink(log)
    }
}
