import Glibc

/// Reason why a path from outside is refused, in words for the user.
package enum PathRefusal: Error, Equatable, Sendable, CustomStringConvertible {
    /// The path is empty.
    case empty
    /// The path or one of its names is too long, or the path contains a control character.
    case unreadable
    /// The path begins with `~`, which is not expanded.
    case tilde(String)
    /// The path contains `..`.
    case parentStep(String)
    /// The path is relative, and there is no folder of recordings.
    case noRecordings(String)
    /// The folder at which a relative path starts cannot be created or used. `code`: error number of the system.
    case noFolder(String, code: Int32)
    /// The folder that must contain the entry does not exist or is not a folder.
    case missingParent(String)
    /// The path lies outside the folders to which the session may write.
    case outside(String, folders: [String])
    /// The path is a symbolic link, which is not followed.
    case link(String)
    /// The path has none of the extensions of the required kind of file.
    case wrongExtension(String, known: [String])
    /// The path is a folder where a file is expected, or a file where a folder is expected.
    case otherKind(String, isFolder: Bool)
    /// The folder contains `entry`, which this program did not write; or it has more entries than are checked.
    case foreign(String, entry: String)
    /// The system does not permit writing. `code`: error number of the system.
    case notWritable(String, code: Int32)

    /// Fault with its path, and in most cases a remedy.
    package var description: String {
        switch self {
        case .empty: "the path is empty; name a file or a folder"
        case .unreadable:
            "the path has control characters, or more than \(PathText.longest) bytes; name it in plain text"
        case .tilde(let path): "'\(path)' begins with '~', which is not expanded; write the whole path"
        case .parentStep(let path): "'\(path)' has '..' in it, which is not followed; write the whole path"
        case .noRecordings(let path):
            "'\(path)' is relative, and this session has no folder of recordings; start it with --recordings DIR"
        case .noFolder(let path, let code): "the folder \(path) cannot be used: \(Self.words(code))"
        case .missingParent(let path): "there is no folder \(path); make it first"
        case .outside(let path, let folders):
            folders.isEmpty
                ? "\(path) cannot be written: no folder may be written to from here; start the session with --allow-write DIR"
                : "\(path) lies outside the folders that may be written to from here (\(folders.joined(separator: ", "))); "
                    + "name a place below them, or start the session with --allow-write DIR"
        case .link(let path): "\(path) is a symbolic link, which is not followed; name another place"
        case .wrongExtension(let path, let known):
            "\(path) has none of the extensions \(known.joined(separator: ", ")); use one of them"
        case .otherKind(let path, let isFolder):
            isFolder ? "\(path) is a folder; name a file" : "\(path) is a file; name a folder"
        case .foreign(let folder, let entry):
            "\(folder) contains \(entry), which was not written there by this program, and stays as it is; "
                + "name a new folder or an empty one"
        case .notWritable(let path, let code): "\(path) cannot be written: \(Self.words(code))"
        }
    }

    private static func words(_ code: Int32) -> String { String(cString: strerror(code)) }
}
