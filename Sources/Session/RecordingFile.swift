import Foundation

/// A text file that grows while a session plays and appears under its name only when it is complete.
///
/// Until then it is beside its place as `NAME.part-PROCESS`. One thread at a time.
final class RecordingFile {
    private let path: String
    private let temporary: String
    private let file: FileHandle

    /// Opens the temporary file with its first lines.
    init(path: String, beginning: String) throws(SessionError) {
        self.path = path
        temporary = path + ".part-\(ProcessInfo.processInfo.processIdentifier)"
        guard FileManager.default.createFile(atPath: temporary, contents: Data(beginning.utf8)),
            let file = FileHandle(forWritingAtPath: temporary)
        else {
            throw SessionError(.environment, "cannot write \(path): the folder is missing or may not be written to")
        }
        self.file = file
        _ = try? file.seekToEnd()
    }

    /// Appends text.
    func append(_ text: String) throws(SessionError) {
        do { try file.write(contentsOf: Data(text.utf8)) } catch { throw failed(error) }
    }

    /// Forgets all that was written and begins with `beginning` again.
    func restart(_ beginning: String) throws(SessionError) {
        do { try file.truncate(atOffset: 0) } catch { throw failed(error) }
        try append(beginning)
    }

    /// Completes the file under its own name.
    func finish() throws(SessionError) {
        try? file.close()
        guard rename(temporary, path) == 0 else {
            throw SessionError(.environment, "cannot write \(path): \(String(cString: strerror(errno)))")
        }
    }

    private func failed(_ error: any Error) -> SessionError {
        SessionError(.environment, "cannot write \(path): \(error.localizedDescription)")
    }
}
