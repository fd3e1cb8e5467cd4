import Glibc

/// Names of takes beside others of the same name.
package enum TakeName {
    /// `ears.wav` and 2 make `ears-2.wav`.
    package static func numbered(_ path: String, _ number: Int) -> String { marked(path, "-\(number)") }

    /// `ears.wav` and `-x` make `ears-x.wav`.
    package static func marked(_ path: String, _ mark: String) -> String {
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let name = path[slash...]
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return path + mark }
        return path[..<dot] + mark + path[dot...]
    }

    /// Takes a name that no file has, at the path or by the next free number, by an empty file that the caller
    /// replaces.
    package static func claim(_ path: String) throws(TakeError) -> String {
        var name = path
        for number in 2...10_000 {
            let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            if descriptor >= 0 {
                close(descriptor)
                return name
            }
            guard errno == EEXIST else { throw .system(path: path, code: errno) }
            name = numbered(path, number)
        }
        throw .exists(path: path)
    }
}
