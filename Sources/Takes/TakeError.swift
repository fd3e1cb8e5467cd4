import Glibc

/// Why a take cannot be recorded under a name, in words for the person who named it.
package enum TakeError: Error, Equatable, Sendable, CustomStringConvertible {
    /// There is such a file.
    case exists(path: String)
    /// Another recording goes into it.
    case beingRecorded(path: String)
    /// A take that was cut off lies there.
    case cutOff(part: String)
    /// It could not be written on, and ended there: what was written is kept.
    case stopped(path: String, reason: String)
    /// It is a folder, a device or a pipe.
    case notAFile(path: String)
    /// `-` was named, which stands for standard output elsewhere.
    case standardStream
    /// The system refuses; `code` is its error number.
    case system(path: String, code: Int32)

    /// What is in the way, and what to do.
    package var description: String {
        switch self {
        case .exists(let path):
            "there is a file \(path) already: name another, move it away, or say --overwrite (-y) to have it replaced"
        case .beingRecorded(let path): "\(path) is being recorded already; name another file"
        case .cutOff(let part): "a take that was cut off lies in \(part): 'proscenium recover \(part)' brings it back"
        case .stopped(let path, let reason):
            "the recording ended: \(reason); \(path) holds what was written until then"
        case .notAFile(let path): "\(path) is a folder, a device or a pipe; name a file"
        case .standardStream:
            "'-' is not standard output here: a file appears when it is complete; name one, or ./- for one of that name"
        case .system(let path, let code): "cannot write \(path): \(String(cString: strerror(code)))"
        }
    }
}
