import Glibc
import Takes

/// Where a sound file is written until it has its name: a take, a temporary file beside its place, or a device itself.
struct SoundFileTarget {
    /// What the path leads to.
    let place: OutputPlace
    /// Where a take grows; nil for the rest.
    let take: TakeFile?
    /// Nil where the path itself is written.
    let temporaryPath: String?
    /// Open for writing; the caller closes it.
    let descriptor: Int32

    /// Opens it.
    ///
    /// - Throws: `noFolder`, `noPermission`, `notAFile`, `exists` where a file of that name must stay; for a take
    ///   `beingRecorded`, `cutOff`.
    init(_ path: String, asTake: Bool, replaces: Bool) throws(SoundFileError) {
        place = OutputPlace(path)
        let occupant = place.occupant
        if occupant == .folder { throw .notAFile(path: path) }
        if occupant == .file {
            guard replaces else { throw .exists(path: path) }
            if access(path, W_OK) != 0 { throw .from(errno: errno, path: path) }
        }
        let isRegular = occupant != .device
        if isRegular, asTake {
            do throws(TakeError) { take = try TakeFile(path: path, replaces: replaces) } catch {
                throw SoundFileError(error)
            }
            temporaryPath = take?.temporaryPath
            // libsndfile closes its own; the take's holds the lock.
            descriptor = take.map { fcntl($0.descriptor, F_DUPFD_CLOEXEC, 0) } ?? -1
        } else if isRegular {
            take = nil
            let (found, name) = TemporaryFile.open(beside: place.resolved)
            descriptor = found
            temporaryPath = found >= 0 ? name : nil
        } else {
            take = nil
            temporaryPath = nil
            descriptor = open(path, O_WRONLY | O_CLOEXEC)
        }
        guard descriptor >= 0 else {
            throw [ENOENT, ENOTDIR].contains(errno) ? .noFolder(path: path) : .from(errno: errno, path: path)
        }
    }
}
