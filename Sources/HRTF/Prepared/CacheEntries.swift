import Foundation
import Glibc

/// Folder of files with results that take long to compute, one for each result. Several processes may use it.
///
/// An entry's name is a hash of everything on which the result depends, so that no entry is ever out of date. Entries
/// are written completely and then renamed. If all entries together exceed `capacity` bytes, the least recently used
/// ones are removed, but not the newest.
///
/// May be used on any thread but the audio thread.
package struct CacheEntries: Hashable, Sendable {
    /// Folder of the entries; created with the first entry.
    package var folder: String
    /// Largest size of all entries together, bytes.
    package var capacity: Int
    /// Suffix of the entries' names, including its dot.
    package var suffix: String

    /// Refers to a folder, which need not exist.
    package init(folder: String, capacity: Int, suffix: String) {
        (self.folder, self.capacity, self.suffix) = (folder, capacity, suffix)
    }

    /// Returns a file's device, inode, size, modification time and status-change time; nil if they cannot be read. They
    /// differ if the content was changed: programs can set the modification time, as `cp -p` does, but not the
    /// status-change time.
    package static func state(of path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let times = [status.st_mtim, status.st_ctim].map { "\($0.tv_sec).\($0.tv_nsec)" }
        return "\(status.st_dev) \(status.st_ino) \(status.st_size) \(times[0]) \(times[1])"
    }

    /// Identity of this build of the program, because another build may compute another result.
    package static let program = state(of: "/proc/self/exe") ?? ""

    /// Returns the path of an entry.
    package func path(_ name: String) -> String { folder + "/" + name + suffix }

    /// Returns the bytes of an entry, and marks the entry as used. Nil if it does not exist or cannot be read, belongs
    /// to another user, is not a regular file, or has 2 GiB or more.
    package func find(_ name: String) -> Data? {
        let path = path(name)
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        var status = stat()
        guard fstat(file.fileDescriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_size < 1 << 31, let bytes = try? file.readToEnd()
        else { return nil }
        utimensat(AT_FDCWD, path, nil, 0)
        return bytes
    }

    /// Removes an entry, such as a damaged one.
    package func remove(_ name: String) { unlink(path(name)) }

    /// Reason why an entry could not be stored.
    package struct NotKept: Error {
        /// The system's message.
        package var reason: String

        /// Creates an error.
        package init(reason: String) { self.reason = reason }
    }

    /// Stores an entry, then removes old entries that exceed the capacity.
    package func keep(_ bytes: [UInt8], as name: String) throws(NotKept) {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw NotKept(reason: error.localizedDescription)
        }
        let path = path(name)
        let part = folder + "/\(name)\(suffix).\(getpid()).\(UInt32.random(in: 0 ... .max)).part"
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
        if fault == 0, rename(part, path) != 0 { fault = errno }
        guard fault == 0 else {
            unlink(part)
            throw NotKept(reason: String(cString: strerror(fault)))
        }
        shrink(sparing: path)
    }

    /// Removes the least recently used entries that exceed the capacity, and partial files that are over an hour old.
    private func shrink(sparing spared: String) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return }
        let hourAgo = time(nil) - 3600
        var entries: [(path: String, size: Int, used: timespec)] = []
        for name in names {
            var status = stat()
            let path = folder + "/" + name
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            if name.hasSuffix(".part"), status.st_mtim.tv_sec < hourAgo { unlink(path) }
            if name.hasSuffix(suffix) { entries.append((path, Int(status.st_size), status.st_mtim)) }
        }
        var total = entries.map(\.size).reduce(0, +)
        entries.sort { ($0.used.tv_sec, $0.used.tv_nsec) < ($1.used.tv_sec, $1.used.tv_nsec) }
        for entry in entries where total > capacity && entry.path != spared {
            unlink(entry.path)
            total -= entry.size
        }
    }

    /// Returns a checksum that depends on every bit and its position, computed eight bytes at a time with the
    /// multiplier of 64-bit FNV-1a. `start`: a previous sum to continue. The checksum detects accidents, not tampering,
    /// because the file is the user's own.
    package static func checksum(
        _ bytes: UnsafeRawBufferPointer, from start: UInt64 = 0xcbf2_9ce4_8422_2325
    ) -> UInt64 {
        var sum = start
        let whole = bytes.count / 8 * 8
        for place in stride(from: 0, to: whole, by: 8) {
            sum = (sum ^ bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)) &* 0x0000_0100_0000_01b3
            sum ^= sum >> 29
        }
        for place in whole..<bytes.count { sum = (sum ^ UInt64(bytes[place])) &* 0x0000_0100_0000_01b3 }
        return sum
    }

    /// Returns whether all values are finite. Other values must not reach the audio thread.
    package static func areFinite(_ values: UnsafeBufferPointer<Float>) -> Bool {
        var isAnyOther: UInt32 = 0
        // An exponent of all ones is an infinity or NaN; adding one to it carries into the sign bit.
        for value in values { isAnyOther |= (value.bitPattern & 0x7F80_0000) &+ 0x0080_0000 }
        return isAnyOther & 0x8000_0000 == 0
    }
}
