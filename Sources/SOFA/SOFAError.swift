/// Why a SOFA file cannot be used. Every description says what is wrong, where, and what to do.
package enum SOFAError: Error, Hashable, Sendable, Codable, CustomStringConvertible {
    /// No file of that name.
    case missing(path: String)
    /// The file cannot be read; `reason` is the system's.
    case unreadable(path: String, reason: String)
    /// A folder, pipe or device where a file was expected.
    case notAFile(path: String, kind: String)
    /// Zero bytes.
    case empty(path: String)
    /// Something else by its first bytes; `kind` names it, `advice` says what to do.
    case foreign(path: String, kind: String, advice: String)
    /// HDF5 ends before the file's own headers say it does.
    case truncated(path: String, detail: String)
    /// HDF5 cannot make sense of it.
    case corrupt(path: String, detail: String)
    /// The file asks for something a safe reader refuses.
    case refused(path: String, object: String, reason: String)
    /// An HDF5 file, yet not a SOFA file.
    case notSOFA(path: String, found: String)
    /// SOFA, but of a convention or version that is not read.
    case unsupported(path: String, what: String, found: String, expected: String)
    /// A variable or attribute that must be there is not.
    case incomplete(path: String, missing: String)
    /// A variable has a shape that does not fit.
    case shape(path: String, variable: String, found: [Int], expected: String)
    /// A variable holds values that make no sense.
    case value(path: String, variable: String, problem: String)
    /// Writing failed.
    case unwritable(path: String, reason: String)
    /// There is a file of that name already, and it was not to be replaced.
    case occupied(path: String)
    /// Another process read it and came to no end of it: what became of that process.
    case abandoned(path: String, reason: String)
    /// No process could be started to read it in.
    case noReader(path: String, reason: String)
    /// The caller wanted no more of it.
    case cancelled(path: String)

    /// The file at fault.
    package var path: String {
        switch self {
        case .missing(let path), .unreadable(let path, _), .notAFile(let path, _), .empty(let path),
            .foreign(let path, _, _), .truncated(let path, _), .corrupt(let path, _), .refused(let path, _, _),
            .notSOFA(let path, _), .unsupported(let path, _, _, _), .incomplete(let path, _), .shape(let path, _, _, _),
            .value(let path, _, _), .unwritable(let path, _), .occupied(let path), .abandoned(let path, _),
            .noReader(let path, _),
            .cancelled(let path):
            path
        }
    }

    /// What is wrong and what to do, without the file's name.
    package var reason: String {
        switch self {
        case .missing: "no such file; check the path (`proscenium hrtf list` shows the sets on this machine)"
        case .unreadable(_, let reason):
            "cannot be read: \(reason); check its permissions, and that nothing writes to it"
        case .notAFile(_, let kind): "is \(kind), not a file; name the .sofa file itself"
        case .empty: "is empty (0 bytes); download it again"
        case .foreign(_, let kind, let advice): "is \(kind), not a SOFA file; \(advice)"
        case .truncated(_, let detail): "is cut short (\(detail)); download it again"
        case .corrupt(_, let detail): "is damaged (\(detail)); download it again"
        case .refused(_, let object, let reason):
            "\(object) \(reason); refused for safety. Rewrite the file with plain storage (e.g. with h5repack)"
        case .notSOFA(_, let found): "is HDF5 but not SOFA: \(found); use a file that follows AES69"
        case .unsupported(_, let what, let found, let expected):
            "\(what) \"\(found)\" is not supported; expected \(expected)"
        case .incomplete(_, let missing): "has no \(missing); the file is incomplete, get a valid one"
        case .shape(_, let variable, let found, let expected):
            found.isEmpty
                ? "\(variable) has no dimensions (it is a single value or nothing); expected \(expected)"
                : "\(variable) has the shape \(found.map(String.init).joined(separator: "×")); expected \(expected)"
        case .value(_, let variable, let problem): "\(variable) \(problem)"
        case .unwritable(_, let reason): "cannot be written: \(reason)"
        case .occupied:
            "is there already and was left as it is; name another, or have it replaced with --overwrite (-y)"
        case .abandoned(_, let reason): "was read in a process of its own, and \(reason); use another file"
        case .noReader(_, let reason): "cannot be read: \(reason)"
        case .cancelled: "was not read to its end: cancelled"
        }
    }

    /// The path, and why.
    package var description: String { "\(path): \(reason)" }
}
