import CProcesses
import Glibc

/// A folder that is there complete or not at all: what is to be in it is written beside it first, brought to the disk,
/// and then given its name in one step, in place of an older one of that name.
///
/// Nothing is replaced that this program did not write: where the name is taken, by an empty folder, or by one that
/// holds what its own list names and no more (`FolderListing`). Whatever is cut off, even the power, leaves the old or
/// the new one, and a folder `.NAME.partial` that the next attempt removes.
package struct StateFolder {
    /// Where it will be.
    let path: String
    /// Where it is written.
    package let draft: String
    /// What stood at the path when it began, to be replaced; nil: nothing.
    private let replaced: [String]?

    /// Whether a folder without a list was written by an earlier version, as only its writer can tell: by its entries.
    package typealias IsFormer = (_ folder: String, _ entries: [String]) -> Bool

    /// What went wrong, with the system's words.
    package struct Failure: Error {
        package let reason: String

        /// A failure at a file, for the reason `errno` has.
        package init(_ what: String, _ path: String) {
            reason = "\(what) \(path): \(String(cString: strerror(errno)))"
        }

        /// A failure for a reason of our own.
        package init(_ reason: String) { self.reason = reason }

        init(_ refusal: PathRefusal) { reason = refusal.description }
    }

    /// Begins a folder; its parent must exist.
    ///
    /// - Parameter isFormer: whether a folder without a list is one of an earlier version.
    /// - Throws: where it cannot be written, or something else has its name.
    package init(_ said: String, isFormer: IsFormer = { _, _ in false }) throws(Failure) {
        let path: String
        do throws(PathRefusal) {
            path = try PathText.resolved(said)
            replaced = try Self.own(path, isFormer)
        } catch { throw Failure(error) }
        self.path = path
        draft = try Self.begin(beside: path)
    }

    /// Entries of a folder that may be replaced; nil where there is nothing at its place.
    ///
    /// - Throws: `PathRefusal` where what stands there is not the program's.
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

    /// Makes the folder to write in, `.NAME.partial`; one that was left there by a write that was cut off goes.
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

    /// Removes a folder that this program wrote; nothing where there is none, or it holds anything else.
    package static func remove(_ path: String, isFormer: IsFormer = { _, _ in false }) {
        guard let entries = try? own(path, isFormer) else { return }
        _ = FolderListing.remove(entries, of: path)
    }

    /// Brings all to the disk and gives the folder its name.
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
            // An older one stands there: the two change places in one step.
            guard errno == ENOTEMPTY || errno == EEXIST, let replaced, prc_exchange_files(draft, path) == 0 else {
                throw Failure("cannot make", path)
            }
            guard FolderListing.remove(replaced, of: draft) else {
                throw Failure("something was put into \(path) while it was written; it is in \(draft) now")
            }
        }
        try Self.sync(PathText.split(path).folder)
    }

    /// Gives up: nothing is left of it.
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
