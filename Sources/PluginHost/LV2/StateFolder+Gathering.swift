import Foundation
import Gate
import Glibc

/// Conversion of a plugin's state, which may use files elsewhere, to a self-contained folder.
extension StateFolder {

    /// Replaces links to other files by copies, so that the folder can be moved. `limit`: greatest total size of the
    /// folder's files, bytes.
    func gather(limit: Int) throws(Failure) {
        var bytes = 0
        try gather(draft, &bytes, limit)
    }

    private func gather(_ folder: String, _ bytes: inout Int, _ limit: Int) throws(Failure) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            let file = folder + "/" + name
            var status = stat()
            guard lstat(file, &status) == 0 else { throw Failure("cannot read", file) }
            if status.st_mode & S_IFMT == S_IFLNK {
                try Self.replaceLink(file, limit: limit - bytes)
                guard lstat(file, &status) == 0 else { throw Failure("cannot read", file) }
            }
            if status.st_mode & S_IFMT == S_IFDIR {
                try gather(file, &bytes, limit)
            } else {
                bytes += Int(status.st_size)
            }
            if bytes > limit { throw Self.tooLarge(limit) }
        }
    }

    private static func replaceLink(_ link: String, limit: Int) throws(Failure) {
        guard let real = realpath(link, nil) else { throw Failure("cannot find the target of the link", link) }
        defer { free(real) }
        let target = String(cString: real)
        if bytes(of: target) > limit { throw tooLarge(limit) }
        do {
            try FileManager.default.removeItem(atPath: link)
            try FileManager.default.copyItem(atPath: target, toPath: link)
        } catch { throw Failure("cannot copy \(target): \(error.localizedDescription)") }
    }

    /// Returns the size of a file, or the total size of all entries in a folder and its subfolders, bytes. A link in
    /// the folder counts with its own length.
    private static func bytes(of path: String) -> Int {
        var status = stat()
        guard stat(path, &status) == 0 else { return 0 }
        guard status.st_mode & S_IFMT == S_IFDIR else { return Int(status.st_size) }
        let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return names.reduce(0) { total, name in
            var status = stat()
            return total + (lstat(path + "/" + name, &status) == 0 ? Int(status.st_size) : 0)
        }
    }

    static func tooLarge(_ limit: Int) -> Failure {
        Failure("it is larger than \(limit >> 20) MiB, the most that is kept")
    }
}
