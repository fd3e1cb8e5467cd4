/// What can be wrong with a programme's metadata, in words for the person who wrote them.
package enum ProgrammeMetadataError: Error, Equatable, CustomStringConvertible {
    /// The file cannot be read; `reason` is the system's.
    case unreadable(path: String, reason: String)
    /// The file is not JSON; `reason` says where.
    case notJSON(source: String, reason: String)
    /// A value is unknown or out of range; `key` is its path, as `place.yaw`.
    case invalid(source: String, key: String, reason: String)

    /// What is wrong with which file.
    package var description: String {
        switch self {
        case .unreadable(let path, let reason): "cannot read metadata \(path): \(reason)"
        case .notJSON(let source, let reason): "metadata \(source) are not valid JSON: \(reason)"
        case .invalid(let source, let key, let reason): "metadata \(source): \(key) \(reason)"
        }
    }
}
