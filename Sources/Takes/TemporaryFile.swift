import Glibc

/// Temporary file in the folder of the final file. An output is written into it, and is renamed when it is complete.
package enum TemporaryFile {
    /// Creates a new file `.NAME.XXXXXXXX.part` in the folder of `path`, with the default permissions. NAME is
    /// truncated to at most 180 bytes, because file systems limit names to 255 bytes; XXXXXXXX is a random hexadecimal
    /// number. If no file can be created, the descriptor is negative and `errno` is set.
    package static func open(beside path: String) -> (descriptor: Int32, name: String) {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[...$0]) } ?? ""
        let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        var bytes = 0
        let shortened = name.prefix { character in
            bytes += character.utf8.count
            return bytes <= 180
        }
        for _ in 0..<16 {
            let mark = String(UInt32.random(in: 0x1000_0000...UInt32.max), radix: 16)
            let candidate = "\(folder).\(shortened).\(mark).part"
            let descriptor = Glibc.open(candidate, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            if descriptor >= 0 || errno != EEXIST { return (descriptor, candidate) }
        }
        return (-1, "")
    }
}
