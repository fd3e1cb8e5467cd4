import Glibc
import Takes

/// Destination of a sound file that is written: a take, a temporary file beside its final path, or a device.
struct SoundFileTarget {
    /// Place of the path, after following symbolic links.
    let place: OutputPlace
    /// File of a take in progress; nil for any other file.
    let take: TakeFile?
    /// Temporary path; nil if the path itself is written.
    let temporaryPath: String?
    /// Descriptor that is open for writing. The caller closes it.
    let descriptor: Int32
    /// Descriptor to which the complete file is copied; nil for a file that gets a name. The caller closes it.
    let stream: Int32?

    /// Opens the destination.
    ///
    /// - Throws: `noFolder`, `noPermission`, `notAFile`. `exists` if a file of that name must not be replaced. For a
    ///   take also `beingRecorded` and `cutOff`.
    init(_ path: String, asTake: Bool, replaces: Bool) throws(SoundFileError) {
        place = OutputPlace(path)
        if !asTake, StandardStream.isOutput(path) {
            take = nil
            let output = StandardStream.openOutput(path)
            guard output >= 0 else { throw .from(errno: errno, path: path) }
            stream = output
            let (found, name) = StandardStream.temporary()
            (descriptor, temporaryPath) = (found, found >= 0 ? name : nil)
            guard descriptor >= 0 else {
                let code = errno
                close(output)
                throw .from(errno: code, path: name)
            }
            return
        }
        stream = nil
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
            // libsndfile closes its own descriptor. The take's descriptor holds the lock.
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
