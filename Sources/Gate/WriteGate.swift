import Glibc

/// The places a session may write to, and the one way from a path that was said to a path that is written.
///
/// A relative path begins at the folder of recordings, whatever the program's working folder. From the network only
/// what lies below `recordings`, `session` and `allowed` is written to; the session's own socket may name any absolute
/// path. `..`, a leading `~`, empty names and symbolic links are refused; nothing is expanded. A look at the file
/// system, and no write but the folder of recordings, which is made when it is first needed.
/// Any thread that may wait for a disk.
package struct WriteGate: Sendable, Equatable {
    /// Where takes go, absolute; nil where there is no such place.
    package var recordings: String?
    /// The session's folder; nil where it is kept in none.
    package var session: String?
    /// Further folders, as the user said at the start.
    package var allowed: [String]

    /// A gate; the folders are absolute.
    package init(recordings: String?, session: String? = nil, allowed: [String] = []) {
        self.recordings = recordings
        self.session = session
        self.allowed = allowed
    }

    /// What is written, by its extensions.
    package struct Kind: Sendable {
        /// Extensions in lower case, with their dot; a name needs one of them.
        let extensions: [String]

        /// A file with one of these extensions.
        package static func file(_ extensions: [String]) -> Kind { Kind(extensions: extensions) }
    }

    /// Where a new file may be written: an absolute path in a folder that is there, the folder's links resolved. A file
    /// of that name may be there already; it is for the writer to take another name.
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

    /// Where a folder of the program's own may be written; whether one that stands there is the program's is for
    /// `StateFolder` to say.
    ///
    /// - Throws: `PathRefusal`.
    package func folder(_ said: String, from origin: PathOrigin) throws(PathRefusal) -> String {
        return try place(said, from: origin)
    }

    /// Where something that is read lies: relative paths begin at the folder of recordings.
    ///
    /// - Throws: `PathRefusal` where it is no path, or the folder it begins at is not there.
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

    /// Makes a folder and those above it.
    private static func make(_ folder: String) throws(PathRefusal) {
        var made = ""
        for step in folder.split(separator: "/") {
            made += "/" + step
            guard mkdir(made, 0o777) != 0, errno != EEXIST else { continue }
            // One above that may not be written to may be there all the same.
            let code = errno
            var found = stat()
            guard stat(made, &found) == 0 else { throw .noFolder(folder, code: code) }
        }
    }

    /// What stands at a path, as `S_IFMT` says; nil: nothing. Links are not followed.
    static func mode(_ path: String) -> mode_t? {
        var found = stat()
        return lstat(path, &found) == 0 ? found.st_mode & S_IFMT : nil
    }
}
