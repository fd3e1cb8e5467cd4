import Foundation
import Glibc
import Signal

/// Sets as they were prepared, kept in a folder: a set that was prepared before starts in some tens of milliseconds.
///
/// An entry is known by the content of the SOFA file, the rate, the choices and the program that prepared it, so it is
/// never stale: what any of them changes has another name. Entries appear whole, by renaming, so several processes may
/// use one folder; what is damaged is made anew; where the disk is full, the set plays all the same and the report says
/// so. The folder holds `capacity` bytes at most: what was not used for longest goes.
///
/// Any thread but the audio thread.
package struct PreparedSets: Hashable, Sendable {
    /// Where entries lie; made when the first one is kept.
    package var folder: String
    /// Bytes that all entries together may take.
    package var capacity: Int

    /// A cache in a folder.
    package init(folder: String, capacity: Int = 1 << 30) {
        (self.folder, self.capacity) = (folder, capacity)
    }

    /// The program's own: `hrtf` in `CacheFolder`.
    package static var standard: PreparedSets { PreparedSets(folder: CacheFolder.path + "/hrtf") }

    /// What an entry is called.
    struct Key: Hashable {
        fileprivate var name: String
        private var state: String

        /// The key of a file's content, played at a rate; nil where the file cannot be read. About 5 ms per megabyte.
        init?(path: String, sampleRate: SampleRate?, options: HRTFOptions) {
            // A FIFO has no content to know it by.
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

        /// Whether the file is the one whose content was read: it may have been replaced while it was prepared.
        func isStill(of path: String) -> Bool { Self.state(of: path) == state }

        private static func state(of path: String) -> String? {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            return
                "\(status.st_dev) \(status.st_ino) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
        }

        /// This build of the program: another one may prepare otherwise.
        private static let program = state(of: "/proc/self/exe") ?? ""
    }

    /// What looking for an entry gave.
    enum Found {
        case set(PreparedSet)
        case nothing
        /// It was there, and is no longer: its bytes were not what was written.
        case damaged
    }

    /// The entry of this key. Reads it whole; marks it as used now.
    func find(_ key: Key) -> Found {
        let path = folder + "/" + key.name
        guard let file = FileHandle(forReadingAtPath: path) else { return .nothing }
        defer { try? file.close() }
        // What another user put there is not ours to trust.
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

    /// Why an entry could not be kept, in words.
    struct NotKept: Error { var reason: String }

    /// Keeps an entry; then throws out what is too much.
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

    /// Removes what was not used for longest until the rest fits, and parts that a killed process left.
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
