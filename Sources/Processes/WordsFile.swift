import Glibc

/// Anonymous file with a child's standard error, which parent and child share.
enum WordsFile {
    /// Returns the last lines of the file, at most 20, each truncated to 300 characters. Reads at most the last 64 KiB.
    static func lines(of descriptor: Int32) -> [String] {
        var status = stat()
        guard isOne(descriptor, &status) else { return [] }
        var bytes = [UInt8](repeating: 0, count: Int(min(status.st_size, 65_536)))
        let count = pread(descriptor, &bytes, bytes.count, status.st_size - off_t(bytes.count))
        let text = String(decoding: bytes[..<max(count, 0)], as: UTF8.self)
        return text.split(whereSeparator: \.isNewline).suffix(20).map { String($0.prefix(300)) }
    }

    /// Empties the file.
    static func clear(_ descriptor: Int32) {
        var status = stat()
        if isOne(descriptor, &status) { ftruncate(descriptor, 0) }
    }

    /// Returns the size of the file, bytes; 0 if the descriptor is not such a file.
    static func length(_ descriptor: Int32) -> Int {
        var status = stat()
        return isOne(descriptor, &status) ? Int(status.st_size) : 0
    }

    /// Whether a descriptor is that of an anonymous file, which has no name. A log, for example, has one.
    static func isOne(_ descriptor: Int32) -> Bool {
        var status = stat()
        return isOne(descriptor, &status)
    }

    private static func isOne(_ descriptor: Int32, _ status: inout stat) -> Bool {
        fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 0
    }
}
