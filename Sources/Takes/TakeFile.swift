import Gate
import Glibc

/// A file that grows during a recording. Until it is complete it is named `NAME.part`, in the folder of the final path;
/// then it gets the final name.
///
/// The `.part` is locked (`flock`) while it grows, which distinguishes a running recording from an interrupted one. An
/// existing file is replaced only if `replaces` is set. If the object is released before `complete` or `leave`, the
/// `.part` is removed. May be used by one thread at a time.
package final class TakeFile {
    /// Timeout for the disk at the end of a take, seconds. A network drive or a busy disk may need tens of seconds.
    package static let patience = 60.0

    /// Path as given by the user.
    package let path: String
    /// Path of the `.part`.
    package let temporaryPath: String
    /// Descriptor, open for reading and writing until `complete`, `leave` or `discard`.
    package let descriptor: Int32
    /// Final path after following symbolic links.
    private let place: String
    private let replaces: Bool
    private var isOpen = true

    /// Opens the `.part`, empty and locked.
    ///
    /// - Parameter replaces: whether an existing file of that name is replaced. The existing file stays until the take
    ///   is complete.
    /// - Throws: as `check`, and `system`.
    package init(path: String, replaces: Bool = false) throws(TakeError) {
        try Self.check(path, replaces: replaces)
        self.path = path
        self.replaces = replaces
        place = OutputPlace(path).resolved
        temporaryPath = place + ".part"
        descriptor = try Self.lock(temporaryPath, path)
    }

    deinit { discard() }

    /// Checks whether a take may be recorded under this name.
    ///
    /// - Throws: `exists` if the file exists and is not to be replaced, `notAFile` for a folder, a device or a pipe,
    ///   `standardStream` for `-`, `beingRecorded` if a recording is writing to the `.part`, `cutOff` if the `.part`
    ///   contains an interrupted take.
    package static func check(_ path: String, replaces: Bool = false) throws(TakeError) {
        guard path != "-" else { throw .standardStream }
        var status = stat()
        let place = OutputPlace(path)
        switch place.occupant {
        case .none: break
        case .file: if !replaces { throw .exists(path: path) }
        case .folder, .device: throw .notAFile(path: path)
        }
        let part = place.resolved + ".part"
        guard stat(part, &status) == 0 else { return }
        if isLocked(part) { throw .beingRecorded(path: path) }
        if status.st_size > 0 { throw .cutOff(part: part) }
    }

    /// Returns whether a file of this name exists.
    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Returns whether any process, including this one, is recording to a `.part`.
    package static func isLocked(_ part: String) -> Bool {
        let descriptor = open(part, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return FileLock.isTaken(descriptor)
    }

    /// Gives the file its name. If a file of that name has appeared meanwhile and must not be replaced, this file gets
    /// the next free name (`ears-2.wav`).
    ///
    /// - Parameter other: path to use instead of `path`; no file is replaced then. It is for a file that is named after
    ///   another take, such as the orientations of a capture, if that take had to get another name.
    /// - Returns: the final path.
    /// - Throws: `exists` if no numbered name is free, or `system`. The `.part` then stays for a recovery; if only
    ///   closing the file failed, it has its final name already.
    @discardableResult
    package func complete(as other: String? = nil) throws(TakeError) -> String {
        guard isOpen else { throw .system(path: path, code: EBADF) }
        isOpen = false
        let place = other.map { OutputPlace($0).resolved } ?? self.place
        let replaces = self.replaces && other == nil
        var name = place
        do throws(TakeError) {
            if !replaces { name = try TakeName.claim(place) }
            guard rename(temporaryPath, name) == 0 else {
                let code = errno
                if !replaces { unlink(name) }
                throw .system(path: path, code: code)
            }
        } catch {
            close(descriptor)
            throw error
        }
        // A file server or a quota may report a failed write only at this point.
        guard close(descriptor) == 0 else { throw .system(path: path, code: errno) }
        return name == place ? other ?? path : name
    }

    /// Closes the `.part` and leaves it for a recovery.
    package func leave() {
        guard isOpen else { return }
        isOpen = false
        close(descriptor)
    }

    /// Removes the file. Has no effect after `complete` or `leave`.
    package func discard() {
        guard isOpen else { return }
        isOpen = false
        unlink(temporaryPath)
        close(descriptor)
    }

    /// Creates a `.part`, or opens an empty one, and locks it. Returns its descriptor.
    private static func lock(_ part: String, _ path: String) throws(TakeError) -> Int32 {
        for _ in 0..<16 {
            let descriptor = open(part, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o666)
            guard descriptor >= 0 else { throw .system(path: path, code: errno) }
            var (own, there) = (stat(), stat())
            let code = FileLock.take(descriptor)
            let isOurs = code == 0
            // Between `open` and the lock, another recording may have given this file its final name. Then the name of
            // the `.part` belongs to another file, or is free.
            if isOurs, fstat(descriptor, &own) == 0, stat(part, &there) == 0, own.st_ino == there.st_ino {
                if own.st_size == 0 { return descriptor }
                close(descriptor)
                throw .cutOff(part: part)
            }
            if code == EWOULDBLOCK {
                close(descriptor)
                throw .beingRecorded(path: path)
            }
            if !isOurs {
                // The take is refused: without a lock, another process of this program would regard the recording as
                // interrupted, and recover it.
                if fstat(descriptor, &own) == 0, own.st_size == 0 { unlink(part) }
                close(descriptor)
                throw .system(path: path, code: code)
            }
            close(descriptor)
        }
        throw .beingRecorded(path: path)
    }
}
