import Glibc

/// Why a path from outside is not used, in words for the person who named it.
package enum PathRefusal: Error, Equatable, Sendable, CustomStringConvertible {
    /// It names nothing.
    case empty
    /// It has more bytes than a path may have, or a control character.
    case unreadable
    /// It begins with `~`, which nothing expands here.
    case tilde(String)
    /// It steps out of a folder by `..`.
    case parentStep(String)
    /// It is relative, and there is no folder of recordings to begin at.
    case noRecordings(String)
    /// The folder it begins at is gone, or cannot be made; `code` is the system's error number.
    case noFolder(String, code: Int32)
    /// The folder it is to lie in is not there.
    case missingParent(String)
    /// It lies outside the folders that may be written to.
    case outside(String, folders: [String])
    /// It is a symbolic link, which is not followed.
    case link(String)
    /// It has another extension than the kind of file.
    case wrongExtension(String, known: [String])
    /// It is a folder where a file is meant, or a file where a folder is meant.
    case otherKind(String, isFolder: Bool)
    /// The folder holds `entry`, which was not written there by this program.
    case foreign(String, entry: String)
    /// The system does not let it be written.
    case notWritable(String, code: Int32)

    /// What is wrong, where, and what to do.
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
            "\(path) has none of the extensions \(known.joined(separator: ", ")); name it so"
        case .otherKind(let path, let isFolder):
            isFolder ? "\(path) is a folder; name a file" : "\(path) is a file; name a folder"
        case .foreign(let folder, let entry):
            "\(folder) holds \(entry), which was not written there by this program, and stays as it is; "
                + "name a new folder or an empty one"
        case .notWritable(let path, let code): "\(path) cannot be written: \(Self.words(code))"
        }
    }

    private static func words(_ code: Int32) -> String { String(cString: strerror(code)) }
}
