import Glibc

/// Checks of a path as text, which every path from outside must pass before it is looked up.
package enum PathText {
    /// Greatest length of a path, bytes; the system's limit is 4095.
    package static let longest = 4000
    /// Greatest length of one name, bytes; the limit of file systems.
    static let longestName = 255

    /// Throws an error for a text that is not accepted as a path.
    ///
    /// - Throws: `empty`, `unreadable`, `tilde`.
    package static func check(_ said: String) throws(PathRefusal) {
        guard said.utf8.contains(where: { $0 != UInt8(ascii: " ") }) else { throw .empty }
        guard said.utf8.count <= longest, !said.utf8.contains(where: { $0 < 32 || $0 == 127 }),
            said.split(separator: "/").allSatisfy({ $0.utf8.count <= longestName })
        else { throw .unreadable }
        guard said.first != "~" else { throw .tilde(said) }
    }

    /// Returns an absolute path; a relative one starts at the program's working folder. Links and `..` are kept.
    ///
    /// - Throws: as `check`; `noFolder` if the working folder is unknown, because it was removed.
    package static func absolute(_ said: String) throws(PathRefusal) -> String {
        try check(said)
        guard !said.hasPrefix("/") else { return said }
        guard let working = getcwd(nil, 0) else { throw .noFolder(".", code: errno) }
        defer { free(working) }
        return joined(String(cString: working), said)
    }

    /// Returns a typed path as an absolute path whose folder has no links and no `..`, so that a session with another
    /// working folder can use it.
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

    /// Returns the path of an existing entry without links; nil if it cannot be found.
    static func real(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// Splits an absolute path without a trailing slash into its folder and name.
    static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return ("", path) }
        let folder = path[..<slash]
        return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
    }

    static func joined(_ folder: String, _ name: String) -> String {
        folder.hasSuffix("/") ? folder + name : folder + "/" + name
    }

    /// Returns whether a path is `folder` or lies below it. Both must be without links.
    static func lies(_ path: String, below folder: String) -> Bool {
        path == folder || path.hasPrefix(joined(folder, ""))
    }
}
