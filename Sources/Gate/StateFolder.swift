import CProcesses
import Glibc

/// A folder that is written completely or not at all. Its contents are first written to a draft beside it and synced to
/// the disk; the draft then takes the folder's name in one step, in place of an older folder of that name.
///
/// Only the program's own folders are replaced: an empty folder, or one that contains only the entries of its own list
/// (`FolderListing`). An interruption at any point, even a power failure, leaves the old or the new folder, and a
/// folder `.NAME.partial` that the next attempt removes.
package struct StateFolder {
    /// Path of the folder.
    let path: String
    /// Path of the draft.
    package let draft: String
    /// Entries of the folder to be replaced; nil without one.
    private let replaced: [String]?

    /// Whether a folder without a list is one of an earlier version, judged by its entries.
    package typealias IsFormer = (_ folder: String, _ entries: [String]) -> Bool

    /// Reason of a failure, with the system's message.
    package struct Failure: Error {
        package let reason: String

        /// Makes a failure at a file, with the message of `errno`.
        package init(_ what: String, _ path: String) {
            reason = "\(what) \(path): \(String(cString: strerror(errno)))"
        }

        /// Makes a failure with the program's own reason.
        package init(_ reason: String) { self.reason = reason }

        init(_ refusal: PathRefusal) { reason = refusal.description }
    }

    /// Makes the draft of a folder; its parent must exist.
    ///
    /// - Parameter isFormer: whether a folder without a list is one of an earlier version.
    /// - Throws: if the folder cannot be written, or another entry has its name.
    package init(_ said: String, isFormer: IsFormer = { _, _ in false }) throws(Failure) {
        let path: String
        do throws(PathRefusal) {
            path = try PathText.resolved(said)
            replaced = try Self.own(path, isFormer)
        } catch { throw Failure(error) }
        self.path = path
        draft = try Self.begin(beside: path)
    }

    /// Returns the entries of a folder that may be replaced; nil without a folder.
    ///
    /// - Throws: `PathRefusal` if the entry at the path is not the program's.
    private static func own(_ path: String, _ isFormer: IsFormer) throws(PathRefusal) -> [String]? {
        guard let mode = WriteGate.mode(path) else { return nil }
        if mode == S_IFLNK { throw .link(path) }
        guard mode == S_IFDIR else { throw .otherKind(path, isFolder: false) }
        guard path != "/", let listing = FolderListing(of: path) else { throw .notWritable(path, code: EACCES) }
        if listing.isTooLarge { throw .foreign(path, entry: "more than is looked through") }
        let written = FolderListing.written(in: path) ?? []
        guard let foreign = listing.entries.first(where: { !written.contains($0) }) else { return listing.entries }
        guard written.isEmpty, isFormer(path, listing.entries) else { throw .foreign(path, entry: foreign) }
        return listing.entries
    }

    /// Makes the draft, `.NAME.partial`; removes one left by an interrupted write.
    private static func begin(beside path: String) throws(Failure) -> String {
        let (parent, name) = PathText.split(path)
        for number in 1...99 {
            let draft = PathText.joined(parent, ".\(name).partial" + (number > 1 ? "-\(number)" : ""))
            if WriteGate.mode(draft) == S_IFDIR, let left = FolderListing(of: draft),
                left.isBare || FolderListing.written(in: draft) != nil
            {
                _ = FolderListing.remove(left.entries, of: draft)
            }
            if mkdir(draft, 0o777) == 0 {
                guard FolderListing.begin(in: draft) else { throw Failure("cannot write in", draft) }
                return draft
            }
            guard errno == EEXIST else { throw Failure("cannot make", draft) }
        }
        throw Failure("a hundred folders called .\(name).partial stand in \(parent); take them away")
    }

    /// Removes a folder of the program's own; leaves a folder with other entries alone.
    package static func remove(_ path: String, isFormer: IsFormer = { _, _ in false }) {
        guard let entries = try? own(path, isFormer) else { return }
        _ = FolderListing.remove(entries, of: path)
    }

    /// Syncs all files to the disk and gives the draft the folder's name.
    package func finish() throws(Failure) {
        guard let listing = FolderListing(of: draft), !listing.isTooLarge, listing.write(to: draft) else {
            throw Failure("cannot list what is in", draft)
        }
        try Self.sync(draft)
        for entry in listing.entries {
            let file = PathText.joined(draft, entry)
            if WriteGate.mode(file) != S_IFLNK { try Self.sync(file) }
        }
        if rename(draft, path) != 0 {
            // An older folder exists: the two exchange their names in one step.
            guard errno == ENOTEMPTY || errno == EEXIST, let replaced, prc_exchange_files(draft, path) == 0 else {
                throw Failure("cannot make", path)
            }
            guard FolderListing.remove(replaced, of: draft) else {
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
        guard fsync(file) == 0 else { throw Failure("cannot bring to the disk", path) }
    }
}
