import CPlugins
import Foundation
import Glibc

/// A folder that is there complete or not at all: what is to be in it is written beside it first, brought to the disk,
/// and then given its name in one step, in place of an older one of that name.
///
/// Whatever is cut off, even the power, leaves the old or the new one, and a folder `.NAME.partial` that the next attempt
/// removes.
package struct StateFolder {
    /// Where it will be.
    let path: String
    /// Where it is written.
    package let draft: String

    /// What went wrong, with the system's words.
    package struct Failure: Error {
        package let reason: String

        /// A failure at a file, for the reason `errno` has.
        init(_ what: String, _ path: String) {
            reason = "\(what) \(path): \(String(cString: strerror(errno)))"
        }

        /// A failure for a reason of our own.
        init(_ reason: String) { self.reason = reason }
    }

    /// Begins a folder; its parent must exist.
    package init(_ path: String) throws(Failure) {
        let whole = URL(fileURLWithPath: path).standardizedFileURL.path
        // Where the working folder was taken away no name is whole, and Foundation ends the program on parts of one letter.
        guard whole.hasPrefix("/"), whole.utf8.count > 1 else {
            throw Failure("'\(path)' lies nowhere: name a folder by its whole path, not the root")
        }
        let (parent, name) = ((whole as NSString).deletingLastPathComponent, (whole as NSString).lastPathComponent)
        self.path = whole
        draft = parent + "/." + name + ".partial"
        try? FileManager.default.removeItem(atPath: draft)
        guard mkdir(draft, 0o777) == 0 else { throw Failure("cannot make", draft) }
    }

    /// Puts copies in place of links to other files, so that the folder can be moved; `limit`: bytes all its files may have.
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
        guard let real = realpath(link, nil) else { throw Failure("cannot find what is used at", link) }
        defer { free(real) }
        let target = String(cString: real)
        if size(of: target) > limit { throw tooLarge(limit) }
        do {
            try FileManager.default.removeItem(atPath: link)
            try FileManager.default.copyItem(atPath: target, toPath: link)
        } catch { throw Failure("cannot copy \(target): \(error.localizedDescription)") }
    }

    /// Bytes of a file, or of all in a folder.
    private static func size(of path: String) -> Int {
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

    /// Brings all to the disk and gives the folder its name.
    package func finish() throws(Failure) {
        try Self.sync(draft)
        for name in FileManager.default.enumerator(atPath: draft)?.compactMap({ $0 as? String }) ?? [] {
            try Self.sync(draft + "/" + name)
        }
        if rename(draft, path) != 0 {
            // An older one stands there: the two change places in one step.
            guard errno == ENOTEMPTY || errno == EEXIST,
                prc_exchange_files(draft, path) == 0
            else { throw Failure("cannot make", path) }
            try? FileManager.default.removeItem(atPath: draft)
        }
        try Self.sync((path as NSString).deletingLastPathComponent)
    }

    /// Gives up: nothing is left of it.
    package func abandon() { try? FileManager.default.removeItem(atPath: draft) }

    private static func sync(_ path: String) throws(Failure) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Failure("cannot open", path) }
        defer { Glibc.close(file) }
        guard fsync(file) == 0 else { throw Failure("cannot bring to the disk", path) }
    }
}
