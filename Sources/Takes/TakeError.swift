import Glibc

/// Reason why a take or another output file cannot be written, in words for the user. A take is one recording.
package enum TakeError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file exists already.
    case exists(path: String)
    /// Another recording is writing to the file.
    case beingRecorded(path: String)
    /// An interrupted take exists under the name.
    case cutOff(part: String)
    /// Writing failed, and the take ended. The content written before is kept.
    case stopped(path: String, reason: String)
    /// The path is a folder, a device or a pipe.
    case notAFile(path: String)
    /// The name is `-`, which means standard output in other commands.
    case standardStream
    /// The system provides no thread that writes the file. `reason`: the cause, and a remedy.
    case noThread(path: String, reason: String)
    /// The system returned an error. `code`: error number.
    case system(path: String, code: Int32)

    /// Obstacle, and in most cases a remedy.
    package var description: String {
        switch self {
        case .exists(let path):
            "the file \(path) exists already: choose another name, move the file, or add --overwrite (-y) to replace it"
        case .beingRecorded(let path): "\(path) is being recorded already; name another file"
        case .cutOff(let part): "\(part) contains an interrupted recording: 'proscenium recover \(part)' recovers it"
        case .stopped(let path, let reason):
            "the recording ended: \(reason); \(path) contains what was written until then"
        case .notAFile(let path): "\(path) is a folder, a device or a pipe; name a file"
        case .standardStream:
            "'-' does not mean standard output here; name a file, or write ./- for a file named '-'"
        case .noThread(let path, let reason): "cannot write \(path): \(reason)"
        case .system(let path, let code): "cannot write \(path): \(String(cString: strerror(code)))"
        }
    }
}
