import CProcesses
import Glibc

/// A folder that is written completely or not at all. Its contents are first written to a draft in the same parent
/// folder and synced to the disk. The draft then gets the folder's name in one step, and replaces an older folder of
/// that name.
///
/// A folder is replaced only if it is empty, if it contains only the entries of its own list (`FolderListing`), or if
/// it has no list and an earlier version of the program wrote it (`IsFormer`). An interruption at any point, even a
/// power failure, leaves either the old or the new folder. It may also leave a folder `.NAME.partial`, which the next
/// attempt removes. The draft is locked while it is written, so that no other attempt, of this or another process,
/// removes it.
package struct StateFolder {
    /// Path of the folder.
    let path: String
    /// Path of the draft.
    package let draft: String
    /// Lock of the draft; it ends with the last copy of this value.
    private let lock: FolderLock?
    /// Entries of the folder to be replaced; nil if there is no such folder.
    private let replaced: [String]?

    /// Returns whether a folder without a list was written by an earlier version of this program. It judges by the
    /// folder's entries.
    package typealias IsFormer = (_ folder: String, _ entries: [String]) -> Bool

    /// Reason for a failure, with the system's message if there is one.
    package struct Failure: Error {
        package let reason: String

        /// Creates a failure at a file, with the message of `errno`.
        package init(_ what: String, _ path: String) {
            reason = "\(what) \(path): \(String(cString: strerror(errno)))"
        }

        /// Creates a failure with a reason in words.
        package init(_ reason: String) { self.reason = reason }

        init(_ refusal: PathRefusal) { reason = refusal.description }
    }

    /// Creates the draft of a folder, whose parent must exist.
    ///
    /// - Parameter isFormer: returns whether a folder without a list was written by an earlier version.
    /// - Throws: an error if the folder cannot be written, or if the path names a file, a link, or a folder with
    ///   entries that the program did not write.
    package init(_ said: String, isFormer: IsFormer = { _, _ in false }) throws(Failure) {
        let path: String
        do throws(PathRefusal) {
            path = try PathText.resolved(said)
            replaced = try Self.own(path, isFormer)
        } catch { throw Failure(error) }
        self.path = path
        (draft, lock) = try Self.begin(beside: path)
    }

    /// Returns the entries of a folder that may be replaced; nil if there is no folder.
    ///
    /// - Throws: `PathRefusal` if the entry at the path cannot be read, or was not written by the program.
    private static func own(_ path: String, _ isFormer: IsFormer) throws(PathRefusal) -> [String]? {
        guard let mode = WriteGate.mode(path) else { return nil }
        if mode == S_IFLNK { throw .link(path) }
        guard mode == S_IFDIR else { throw .otherKind(path, isFolder: false) }
        guard path != "/", let listing = FolderListing(of: path) else { throw .notWritable(path, code: EACCES) }
        if listing.isTooLarge { throw .foreign(path, entry: "more entries than are checked") }
        let written = FolderListing.written(in: path) ?? []
        guard let foreign = listing.entries.first(where: { !written.contains($0) }) else { return listing.entries }
        guard written.isEmpty, isFormer(path, listing.entries) else { throw .foreign(path, entry: foreign) }
        return listing.entries
    }

    /// Creates the draft, `.NAME.partial`; if this name is in use, with a number (`-2`…`-99`). Removes a draft left by
    /// an interrupted write. Returns the draft and its lock; the lock is nil on a file system without locks.
    private static func begin(beside path: String) throws(Failure) -> (draft: String, lock: FolderLock?) {
        let (parent, name) = PathText.split(path)
        for number in 1...99 {
            let draft = PathText.joined(parent, ".\(name).partial" + (number > 1 ? "-\(number)" : ""))
            removeLeft(draft)
            if mkdir(draft, 0o777) == 0 {
                let lock: FolderLock?
                switch FolderLock.take(draft) {
                case .held(let taken): lock = taken
                case .unsupported: lock = nil
                // Another attempt has locked the new draft first, and removes it like one left by an interrupted write.
                case .taken: continue
                }
                guard FolderListing.begin(in: draft) else { throw Failure("cannot write in", draft) }
                return (draft, lock)
            }
            guard errno == EEXIST else { throw Failure("cannot make", draft) }
        }
        throw Failure("99 folders .\(name).partial… are in \(parent); remove them")
    }

    /// Removes a draft left by an interrupted write. A draft that is being written stays, and so does a folder that the
    /// program did not write.
    private static func removeLeft(_ draft: String) {
        guard WriteGate.mode(draft) == S_IFDIR else { return }
        let lock = FolderLock.take(draft)
        if case .taken = lock { return }
        withExtendedLifetime(lock) {
            guard let left = FolderListing(of: draft), left.isBare || FolderListing.written(in: draft) != nil else {
                return
            }
            _ = FolderListing.remove(left.entries, of: draft)
        }
    }

    /// Removes a folder that the program wrote, and its draft left by an interrupted write. A folder with other entries
    /// is not removed.
    package static func remove(_ path: String, isFormer: IsFormer = { _, _ in false }) {
        if let entries = try? own(path, isFormer) { _ = FolderListing.remove(entries, of: path) }
        guard let resolved = try? PathText.resolved(path) else { return }
        let (parent, name) = PathText.split(resolved)
        removeLeft(PathText.joined(parent, ".\(name).partial"))
    }

    /// Syncs all files to the disk and gives the draft the folder's name. An older folder of that name is removed.
    package func finish() throws(Failure) {
        guard let listing = FolderListing(of: draft), !listing.isTooLarge, listing.write(to: draft) else {
            throw Failure("cannot list the entries of", draft)
        }
        try Self.sync(draft)
        for entry in listing.entries {
            let file = PathText.joined(draft, entry)
            if WriteGate.mode(file) != S_IFLNK { try Self.sync(file) }
        }
        if rename(draft, path) != 0 {
            // If an older folder exists, the two folders exchange their names in one step.
            let code = errno
            // The older folder gets the draft's name. Its lock prevents another attempt from removing it.
            let older = FolderLock.take(path)
            errno = code
            guard code == ENOTEMPTY || code == EEXIST, let replaced, prc_exchange_files(draft, path) == 0 else {
                throw Failure("cannot make", path)
            }
            guard withExtendedLifetime(older, { FolderListing.remove(replaced, of: draft) }) else {
                throw Failure("something was put into \(path) while it was written; it is in \(draft) now")
            }
        }
        try Self.sync(PathText.split(path).folder)
    }

    /// Removes the draft.
    package func abandon() {
        guard let left = FolderListing(of: draft) else { return }
        _ = FolderListing.remove(left.entries, of: draft)
    }

    private static func sync(_ path: String) throws(Failure) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Failure("cannot open", path) }
        defer { close(file) }
        guard fsync(file) == 0 else { throw Failure("cannot sync to the disk", path) }
    }
}

/// Lock of a folder while it is written or removed. It ends with this object, or with the process.
private final class FolderLock: Sendable {
    private let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Outcome of an attempt to lock a folder.
    enum Outcome {
        /// The folder is locked.
        case held(FolderLock)
        /// Another attempt has the lock, or the folder is gone.
        case taken
        /// The folder cannot be locked, as on a file system without locks.
        case unsupported
    }

    /// Locks the folder at a path. Waits 35 ms at most for another lock.
    static func take(_ path: String) -> Outcome {
        let opened = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard opened >= 0 else { return errno == ENOENT ? .taken : .unsupported }
        let lock = FolderLock(opened)
        switch FileLock.take(opened) {
        case 0: return lock.isAt(path) ? .held(lock) : .taken
        case EWOULDBLOCK: return .taken
        default: return .unsupported
        }
    }

    /// Returns whether the locked folder is still the one at a path.
    private func isAt(_ path: String) -> Bool {
        var (own, there) = (stat(), stat())
        return fstat(descriptor, &own) == 0 && lstat(path, &there) == 0 && own.st_dev == there.st_dev
            && own.st_ino == there.st_ino
    }
}
