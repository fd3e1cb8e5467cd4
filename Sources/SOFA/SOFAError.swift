/// Reason why a SOFA file cannot be used. Every description names the file and the fault; most also name a remedy.
package enum SOFAError: Error, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The file does not exist.
    case missing(path: String)
    /// The file cannot be read; `reason` is the system's message.
    case unreadable(path: String, reason: String)
    /// The path is a folder, pipe, socket or device.
    case notAFile(path: String, kind: String)
    /// The file has no bytes.
    case empty(path: String)
    /// The file is not HDF5. `kind` is its format, as far as it is recognised, and `advice` the remedy.
    case foreign(path: String, kind: String, advice: String)
    /// The file is shorter than the headers of its HDF5 structure state.
    case truncated(path: String, detail: String)
    /// HDF5 cannot decode the file.
    case corrupt(path: String, detail: String)
    /// The file needs a feature that is refused for safety.
    case refused(path: String, object: String, reason: String)
    /// The file is HDF5 but not SOFA.
    case notSOFA(path: String, found: String)
    /// The file is SOFA, but has a convention, a type of data or a compression that is not supported.
    case unsupported(path: String, what: String, found: String, expected: String)
    /// A required variable or attribute is missing.
    case incomplete(path: String, missing: String)
    /// A variable has an unsuitable shape.
    case shape(path: String, variable: String, found: [Int], expected: String)
    /// A variable contains invalid values.
    case value(path: String, variable: String, problem: String)
    /// The file cannot be written.
    case unwritable(path: String, reason: String)
    /// The file exists, and replacing it was not permitted.
    case occupied(path: String)
    /// The process that read the file ended early; `reason` describes its end.
    case abandoned(path: String, reason: String)
    /// No process could be started to read the file.
    case noReader(path: String, reason: String)
    /// The caller cancelled the reading.
    case cancelled(path: String)

    /// Path of the file at fault.
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

    /// The fault, mostly with a remedy, without the file's path.
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

    /// The path and the reason.
    package var description: String { "\(path): \(reason)" }
}
