import Glibc

/// A path as it was written, before anything is looked up: what every path from outside must be.
package enum PathText {
    /// Bytes of a path at most; the system takes 4095.
    package static let longest = 4000
    /// Bytes of one name at most, what file systems take.
    static let longestName = 255

    /// Refuses what is no path at all, whatever it is for.
    ///
    /// - Throws: `empty`, `unreadable`, `tilde`.
    package static func check(_ said: String) throws(PathRefusal) {
        guard said.utf8.contains(where: { $0 != UInt8(ascii: " ") }) else { throw .empty }
        guard said.utf8.count <= longest, !said.utf8.contains(where: { $0 < 32 || $0 == 127 }),
            said.split(separator: "/").allSatisfy({ $0.utf8.count <= longestName })
        else { throw .unreadable }
        guard said.first != "~" else { throw .tilde(said) }
    }

    /// A path made absolute from the folder the program works in. Links and `..` stay in it.
    ///
    /// - Throws: as `check`; `noFolder` where the working folder was removed.
    package static func absolute(_ said: String) throws(PathRefusal) -> String {
        try check(said)
        guard !said.hasPrefix("/") else { return said }
        guard let working = getcwd(nil, 0) else { throw .noFolder(".", code: errno) }
        defer { free(working) }
        return joined(String(cString: working), said)
    }

    /// A path that was typed, absolute, its folder without links and `..`: what a session that stands elsewhere
    /// understands.
    ///
    /// - Throws: as `absolute`; `missingParent`.
    package static func resolved(_ said: String) throws(PathRefusal) -> String {
        var path = Substring(try absolute(said))
        while path.count > 1, path.last == "/" { path.removeLast() }
        let (folder, name) = split(String(path))
        guard !["", ".", ".."].contains(name) else {
            guard let real = real(String(path)) else { throw .missingParent(String(path)) }
            return real
        }
        guard let real = real(folder) else { throw .missingParent(folder) }
        return joined(real, name)
    }

    /// The path of something that is there, without links; nil where it is not there.
    static func real(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// A folder and a name in it; an absolute path without a slash at its end.
    static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return ("", path) }
        let folder = path[..<slash]
        return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
    }

    static func joined(_ folder: String, _ name: String) -> String {
        folder.hasSuffix("/") ? folder + name : folder + "/" + name
    }

    /// Whether a path is a folder, or lies below it; both without links.
    static func lies(_ path: String, below folder: String) -> Bool {
        path == folder || path.hasPrefix(joined(folder, ""))
    }
}
