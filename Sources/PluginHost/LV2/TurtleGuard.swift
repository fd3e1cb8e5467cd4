import Glibc

/// Checks files before the Turtle reader reads them. The reader would hang on special files. It is recursive, so deep
/// nesting would overflow its stack.
enum TurtleGuard {
    /// Greatest nesting of brackets, including those in strings and comments. Bundles have less than ten levels; the
    /// reader needs some hundred bytes of stack for each.
    static let depth = 1000
    /// Greatest size of a file, bytes; the largest in Debian has 1 MB.
    static let size = 1 << 26

    /// Returns the reason why a file must not be read; nil if it may be read.
    static func fault(of path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return "cannot be read" }
        guard status.st_mode & S_IFMT == S_IFREG else { return "is not a regular file" }
        guard status.st_size <= size else { return "is larger than 64 MB" }
        guard let file = fopen(path, "rb") else { return "cannot be read" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        var open = 0
        while true {
            let count = fread(&bytes, 1, bytes.count, file)
            if count == 0 { return nil }
            for byte in bytes[..<count] {
                // Opening and closing brackets, square and round.
                if byte == 0x5B || byte == 0x28 { open += 1 }
                if byte == 0x5D || byte == 0x29 { open = max(open - 1, 0) }
                if open > depth { return "has brackets more than \(depth) deep" }
            }
        }
    }
}
