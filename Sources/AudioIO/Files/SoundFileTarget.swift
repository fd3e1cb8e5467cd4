import Glibc
import Takes

/// Destination of a sound file that is written: a take, a temporary file beside its final path, a temporary file that
/// is then copied to a pipe or a descriptor, or a device.
struct SoundFileTarget {
    /// Place of the path, after following symbolic links.
    let place: OutputPlace
    /// File of a take in progress; nil for any other file.
    let take: TakeFile?
    /// Temporary path; nil if the path itself is written.
    let temporaryPath: String?
    /// Descriptor that is open for writing. libsndfile takes ownership of it, and closes it.
    let descriptor: Int32
    /// Descriptor to which the complete file is copied; nil for a file that gets a name, and for a device.
    let stream: Int32?
    /// Whether an existing file is replaced when this one is complete.
    private let replaces: Bool
    /// Whether the file is complete but not yet renamed.
    var isUnnamed = false
    /// Number of the action in `Unfinished` that removes the temporary file if the process exits early; nil without
    /// one, as for a take.
    private var unfinished: Int?

    /// Opens the destination.
    ///
    /// - Parameter replaces: Whether an existing file is replaced when this one is complete. Otherwise an existing file
    ///   is an error.
    /// - Throws: `noFolder`, `noPermission`, `notAFile`, `system`. `exists` if a file of that name must not be
    ///   replaced. For a take also `beingRecorded` and `cutOff`.
    init(_ path: String, asTake: Bool, replaces: Bool) throws(SoundFileError) {
        place = OutputPlace(path)
        self.replaces = replaces
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

    /// The complete file that is to be renamed; nil for a device.
    var unnamed: UnnamedFile? { temporaryPath.map { UnnamedFile(at: $0, for: place, replaces: replaces) } }

    /// Removes the temporary file if the process exits before `forget` or `remove`. Has no effect for a take.
    mutating func removeAtExit() {
        guard take == nil, let temporaryPath else { return }
        unfinished = Unfinished.add { unlink(temporaryPath) }
    }

    /// Ends the effect of `removeAtExit`.
    func forget() {
        if let unfinished { Unfinished.forget(unfinished) }
    }

    /// Removes the temporary file.
    func remove() {
        forget()
        if let take { take.discard() } else if let temporaryPath { unlink(temporaryPath) }
    }

    /// Closes the descriptor to which the complete file is copied. Call last.
    func closeStream() {
        if let stream { close(stream) }
    }
}
