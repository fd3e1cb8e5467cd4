import Foundation
import Glibc
import Signal
import Synchronization

/// Hashes of file contents.
extension SessionFiles {
    /// Hashes by path, inode, size and modification time, so that each file is read once.
    private static let known = Mutex<[String: String]>([:])

    /// Returns the hash of a file's content, or of the names and contents of a folder's files; nil if it cannot be
    /// read. The first call takes some seconds for hundreds of megabytes.
    package static func hash(of path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        if status.st_mode & S_IFMT == S_IFDIR { return hash(ofFolder: path) }
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        let key = "\(path) \(status.st_ino) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
        if let found = known.withLock({ $0[key] }) { return found }
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        var hash = SHA256()
        while let bytes = try? file.read(upToCount: 1 << 20), !bytes.isEmpty { hash.add(bytes) }
        let found = hash.finish()
        known.withLock { $0[key] = found }
        return found
    }

    private static func hash(ofFolder path: String) -> String? {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return nil }
        var hash = SHA256()
        for name in names.sorted() where !name.hasPrefix(".") {
            var status = stat()
            guard stat(path + "/" + name, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                let content = Self.hash(of: path + "/" + name)
            else { continue }
            hash.add("\(name)\n\(content)\n".utf8)
        }
        return hash.finish()
    }
}
