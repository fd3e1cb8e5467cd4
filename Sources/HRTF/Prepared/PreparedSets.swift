import Foundation
import Glibc
import Signal

/// A folder with a cache of prepared sets: a cached set starts in some tens of milliseconds.
///
/// An entry's name is a hash of the SOFA file's content, the rate, the options and the program that prepared it, so
/// that no entry is ever stale. Entries are written in full and then renamed, so several processes may use one folder.
/// A damaged entry is prepared again. If the disk is full, the set plays without an entry and the report notes it. The
/// folder holds `capacity` bytes at most: the least recently used entries are removed.
///
/// Any thread but the audio thread.
package struct PreparedSets: Hashable, Sendable {
    /// Folder of the entries; created with the first entry.
    package var folder: String
    /// Largest size of all entries together, bytes.
    package var capacity: Int

    /// Creates a cache in a folder.
    package init(folder: String, capacity: Int = 1 << 30) {
        (self.folder, self.capacity) = (folder, capacity)
    }

    /// The program's own cache: `hrtf` in `CacheFolder`.
    package static var standard: PreparedSets { PreparedSets(folder: CacheFolder.path + "/hrtf") }

    /// Name of an entry.
    struct Key: Hashable {
        fileprivate var name: String
        private var state: String

        /// Hashes a file's content for a rate; nil where the file cannot be read. About 5 ms per megabyte.
        init?(path: String, sampleRate: SampleRate?, options: HRTFOptions) {
            // A FIFO has no stable content to hash.
            var status = stat()
            guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                let file = FileHandle(forReadingAtPath: path), let state = Self.state(of: path)
            else { return nil }
            defer { try? file.close() }
            self.state = state
            var hash = SHA256()
            while let bytes = try? file.read(upToCount: 1 << 20), !bytes.isEmpty { hash.add(bytes) }
            hash.add("\(sampleRate.map { "\($0.hertz)" } ?? "own") \(options.word) \(Self.program)".utf8)
            name = hash.finish() + ".set"
        }

        /// Returns whether the file is the one that was hashed: it may have been replaced during the preparation.
        func isStill(of path: String) -> Bool { Self.state(of: path) == state }

        private static func state(of path: String) -> String? {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            return
                "\(status.st_dev) \(status.st_ino) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
        }

        /// Identity of this build of the program: another build may prepare differently.
        private static let program = state(of: "/proc/self/exe") ?? ""
    }

    /// Result of a search for an entry.
    enum Found {
        case set(PreparedSet)
        case nothing
        /// The entry was damaged and has been removed.
        case damaged
    }

    /// Returns the entry of a key. Reads the whole file and updates its time of use.
    func find(_ key: Key) -> Found {
        let path = folder + "/" + key.name
        guard let file = FileHandle(forReadingAtPath: path) else { return .nothing }
        defer { try? file.close() }
        // A file of another user is not trusted.
        var status = stat()
        guard fstat(file.fileDescriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid()
        else { return .nothing }
        guard status.st_size < 1 << 31, let bytes = try? file.readToEnd(),
            let set = bytes.withUnsafeBytes({ PreparedSet(decoding: $0) })
        else {
            unlink(path)
            return .damaged
        }
        utimensat(AT_FDCWD, path, nil, 0)
        return .set(set)
    }

    /// Reason why an entry could not be stored.
    struct NotKept: Error { var reason: String }

    /// Stores an entry, then removes old entries beyond the capacity.
    func keep(_ set: PreparedSet, as key: Key) throws(NotKept) {
        let bytes: [UInt8]
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            bytes = try set.encoded()
        } catch {
            throw NotKept(reason: error.localizedDescription)
        }
        let part = folder + "/\(key.name).\(getpid()).\(UInt32.random(in: 0 ... .max)).part"
        let descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw NotKept(reason: String(cString: strerror(errno))) }
        var fault: Int32 = 0
        bytes.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count, fault == 0 {
                let count = write(descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
                if count > 0 { done += count } else if errno != EINTR { fault = count == 0 ? ENOSPC : errno }
            }
        }
        if close(descriptor) != 0, fault == 0 { fault = errno }
        if fault == 0, rename(part, folder + "/" + key.name) != 0 { fault = errno }
        guard fault == 0 else {
            unlink(part)
            throw NotKept(reason: String(cString: strerror(fault)))
        }
        shrink(sparing: key.name)
    }

    /// Removes the least recently used entries beyond the capacity, and partial files of killed processes.
    private func shrink(sparing spared: String) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return }
        let hourAgo = time(nil) - 3600
        var entries: [(path: String, size: Int, used: timespec)] = []
        for name in names {
            var status = stat()
            let path = folder + "/" + name
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            if name.hasSuffix(".part"), status.st_mtim.tv_sec < hourAgo { unlink(path) }
            if name.hasSuffix(".set") { entries.append((path, Int(status.st_size), status.st_mtim)) }
        }
        var total = entries.map(\.size).reduce(0, +)
        entries.sort { ($0.used.tv_sec, $0.used.tv_nsec) < ($1.used.tv_sec, $1.used.tv_nsec) }
        for entry in entries where total > capacity && !entry.path.hasSuffix("/" + spared) {
            unlink(entry.path)
            total -= entry.size
        }
    }
}
