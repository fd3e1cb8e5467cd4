import Foundation
import Gate
import Glibc
import Signal

/// Cache of prepared sets. A session with a cached set starts in some tens of milliseconds.
///
/// An entry's name is a hash of the SOFA file's content, the rate, the options and the program that prepared it, so
/// that no entry is ever out of date. A damaged entry is prepared again. If the disk is full, the set plays without an
/// entry, and the report states it.
///
/// May be used on any thread but the audio thread.
package struct PreparedSets: Hashable, Sendable {
    private var entries: CacheEntries

    /// Folder of the entries.
    package var folder: String { entries.folder }

    /// Creates a cache of at most `capacity` bytes in a folder.
    package init(folder: String, capacity: Int = 1 << 30) {
        entries = CacheEntries(folder: folder, capacity: capacity, suffix: ".set")
    }

    /// The program's own cache: `hrtf` in `CacheFolder`.
    package static var standard: PreparedSets { PreparedSets(folder: CacheFolder.path + "/hrtf") }

    /// Name of an entry.
    struct Key: Hashable {
        fileprivate let name: String
        private var state: String

        /// Hashes a file's content, the rate, the options and the program. Nil if the file is not a regular file or
        /// cannot be read. Takes about 5 ms per megabyte.
        init?(path: String, sampleRate: SampleRate?, options: HRTFOptions) {
            // A FIFO has no stable content to hash.
            var status = stat()
            guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                let file = FileHandle(forReadingAtPath: path), let state = CacheEntries.state(of: path)
            else { return nil }
            defer { try? file.close() }
            self.state = state
            var hash = SHA256()
            while let bytes = try? file.read(upToCount: 1 << 20), !bytes.isEmpty { hash.add(bytes) }
            hash.add("\(sampleRate.map { "\($0.hertz)" } ?? "own") \(options.word) \(CacheEntries.program)".utf8)
            name = hash.finish()
        }

        /// Returns whether the file is still the one that was hashed. It may have been replaced during the preparation.
        func isStill(of path: String) -> Bool { CacheEntries.state(of: path) == state }
    }

    /// Returns the path of an entry.
    func path(_ key: Key) -> String { entries.path(key.name) }

    /// Result of a search for an entry.
    enum Found {
        case set(PreparedSet)
        case nothing
        /// The entry was damaged and has been removed.
        case damaged
    }

    /// Returns the entry of a key. Reads the whole file and updates its time of use.
    func find(_ key: Key) -> Found {
        guard let bytes = entries.find(key.name) else { return .nothing }
        guard let set = bytes.withUnsafeBytes({ PreparedSet(decoding: $0) }) else {
            entries.remove(key.name)
            return .damaged
        }
        return .set(set)
    }

    /// Stores an entry, then removes old entries that exceed the capacity.
    func keep(_ set: PreparedSet, as key: Key) throws(CacheEntries.NotKept) {
        let bytes: [UInt8]
        do { bytes = try set.encoded() } catch { throw CacheEntries.NotKept(reason: error.localizedDescription) }
        try entries.keep(bytes, as: key.name)
    }
}
