import Glibc

/// Check of paths from outside, which every path must pass before the session writes to it.
///
/// A relative path starts at the folder of recordings, regardless of the program's working folder. A path from the
/// network must lie below `recordings`, `session` or `allowed`. A path from the session's own socket may be any
/// absolute path. `..`, a leading `~`, an empty path and a symbolic link as the last step are refused. Links in the
/// folder of the path are resolved before it is checked. Nothing is expanded. The checks only read the file system,
/// except that they create the folder of recordings when it is first needed. May be used on any thread that may wait
/// for a disk.
package struct WriteGate: Sendable, Equatable {
    /// Folder of recordings, absolute; nil if there is none.
    package var recordings: String?
    /// Folder of the session; nil if the session has none.
    package var session: String?
    /// Further folders that the user has permitted at the start, absolute.
    package var allowed: [String]

    /// Creates a gate. The folders must be absolute.
    package init(recordings: String?, session: String? = nil, allowed: [String] = []) {
        self.recordings = recordings
        self.session = session
        self.allowed = allowed
    }

    /// Kind of a file, by its extension.
    package struct Kind: Sendable {
        /// Extensions in lower case with their dot. A file must have one of them.
        let extensions: [String]

        /// Returns the kind of files with one of these extensions.
        package static func file(_ extensions: [String]) -> Kind { Kind(extensions: extensions) }
    }

    /// Returns the path for a new file. It is absolute, in an existing folder, and without links. A file of that name
    /// may exist; the writer must then choose another name.
    ///
    /// - Throws: `PathRefusal`.
    package func file(_ said: String, from origin: PathOrigin, _ kind: Kind) throws(PathRefusal) -> String {
        guard !said.hasSuffix("/") else { throw .otherKind(said, isFolder: true) }
        let path = try place(said, from: origin)
        let name = PathText.split(path).name.lowercased()
        guard kind.extensions.contains(where: { name.hasSuffix($0) && name.utf8.count > $0.utf8.count }) else {
            throw .wrongExtension(path, known: kind.extensions)
        }
        if Self.mode(path) == S_IFDIR { throw .otherKind(path, isFolder: true) }
        return path
    }

    /// Returns the path for a folder that the program writes. `StateFolder` checks whether an existing folder there may
    /// be replaced.
    ///
    /// - Throws: `PathRefusal`.
    package func folder(_ said: String, from origin: PathOrigin) throws(PathRefusal) -> String {
        return try place(said, from: origin)
    }

    /// Returns the path of a file to be read. Relative paths start at the folder of recordings.
    ///
    /// - Throws: `PathRefusal` for an invalid path, for `..`, or for a relative path if there is no folder of
    ///   recordings.
    package func reading(_ said: String) throws(PathRefusal) -> String {
        try PathText.check(said)
        guard !said.split(separator: "/").contains("..") else { throw .parentStep(said) }
        guard !said.hasPrefix("/") else { return said }
        guard let recordings else { throw .noRecordings(said) }
        return PathText.joined(recordings, said)
    }

    private func place(_ said: String, from origin: PathOrigin) throws(PathRefusal) -> String {
        try PathText.check(said)
        let steps = said.split(separator: "/", omittingEmptySubsequences: true).filter { $0 != "." }
        guard !steps.contains("..") else { throw .parentStep(said) }
        guard !steps.isEmpty else { throw .empty }
        var base = "/"
        if !said.hasPrefix("/") {
            guard let recordings else { throw .noRecordings(said) }
            try Self.make(recordings)
            base = recordings
        }
        let folder = steps.dropLast().reduce(base) { PathText.joined($0, String($1)) }
        guard let real = PathText.real(folder), Self.mode(real) == S_IFDIR else { throw .missingParent(folder) }
        let path = PathText.joined(real, String(steps[steps.count - 1]))
        if origin == .network {
            let folders = ([recordings, session].compactMap(\.self) + allowed).compactMap(PathText.real)
            guard folders.contains(where: { PathText.lies(path, below: $0) && path != $0 }) else {
                throw .outside(path, folders: folders)
            }
        }
        if Self.mode(path) == S_IFLNK { throw .link(path) }
        guard access(real, W_OK | X_OK) == 0 else { throw .notWritable(path, code: errno) }
        return path
    }

    /// Creates a folder and its missing parents.
    private static func make(_ folder: String) throws(PathRefusal) {
        var made = ""
        for step in folder.split(separator: "/") {
            made += "/" + step
            guard mkdir(made, 0o777) != 0, errno != EEXIST else { continue }
            // `mkdir` may report another error than `EEXIST` for a parent that exists and is not writable.
            let code = errno
            var found = stat()
            guard stat(made, &found) == 0 else { throw .noFolder(folder, code: code) }
        }
    }

    /// Returns the type of the entry at a path as in `S_IFMT`; nil if there is none. Links are not followed.
    static func mode(_ path: String) -> mode_t? {
        var found = stat()
        return lstat(path, &found) == 0 ? found.st_mode & S_IFMT : nil
    }
}
