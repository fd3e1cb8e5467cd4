/// Fault of a programme's metadata, worded for the user.
package enum ProgrammeMetadataError: Error, Equatable, CustomStringConvertible {
    /// The file cannot be read. `reason` is the system's message.
    case unreadable(path: String, reason: String)
    /// The file is not valid JSON, or exceeds a limit. `reason` has the position of the fault, unless the file is too
    /// long.
    case notJSON(source: String, reason: String)
    /// A key is unknown, or a value is missing or not valid. `key` is the path, such as `place.yaw`.
    case invalid(source: String, key: String, reason: String)

    /// Message with the file and its fault.
    package var description: String {
        switch self {
        case .unreadable(let path, let reason): "cannot read metadata \(path): \(reason)"
        case .notJSON(let source, let reason): "metadata \(source) are not valid JSON: \(reason)"
        case .invalid(let source, let key, let reason): "metadata \(source): \(key) \(reason)"
        }
    }
}
