import Foundation
import Glibc

/// A complete file under a temporary name, in the folder of its final path.
package struct UnnamedFile: Sendable {
    /// Path as given by the user.
    package let path: String
    /// Present path of the file.
    package let temporaryPath: String
    /// Final path after following symbolic links.
    private let place: String
    private let replaces: Bool
    /// Number of the action in `Unfinished` that removes the file if the process exits early; nil if another object
    /// removes the file.
    private let unfinished: Int?

    /// Refers to a complete file at `temporaryPath`, which must be in the folder of the final path.
    ///
    /// - Parameter replaces: whether an existing file of that name is replaced; otherwise `publish` throws an error.
    package init(at temporaryPath: String, for place: OutputPlace, replaces: Bool) {
        self.init(at: temporaryPath, for: place, replaces: replaces, unfinished: nil)
    }

    private init(at temporaryPath: String, for place: OutputPlace, replaces: Bool, unfinished: Int?) {
        (self.temporaryPath, self.replaces, self.unfinished) = (temporaryPath, replaces, unfinished)
        (path, self.place) = (place.path, place.resolved)
    }

    /// Writes data to a temporary file.
    ///
    /// - Throws: `exists`, `notAFile` for a folder or device, `standardStream` for `-`, `system`. No temporary file is
    ///   left then.
    package init(_ content: Data, for path: String, replaces: Bool) throws(TakeError) {
        guard path != "-" else { throw .standardStream }
        let place = OutputPlace(path)
        switch place.occupant {
        case .none: break
        case .file:
            guard replaces else { throw .exists(path: path) }
            // The folder's permissions would allow the replacement, but a write-protected file is not replaced.
            guard access(path, W_OK) == 0 else { throw .system(path: path, code: errno) }
        case .folder, .device: throw .notAFile(path: path)
        }
        let (descriptor, name) = TemporaryFile.open(beside: place.resolved)
        guard descriptor >= 0 else { throw .system(path: path, code: errno) }
        let unfinished = Unfinished.add { unlink(name) }
        self.init(at: name, for: place, replaces: replaces, unfinished: unfinished)
        let code = Self.write(content, descriptor)
        guard close(descriptor) == 0, code == 0 else {
            let reason = code != 0 ? code : errno
            discard()
            throw .system(path: path, code: reason)
        }
    }

    /// Writes data to a path. The file appears only when it is complete. A device or pipe is written to directly.
    ///
    /// - Throws: as `init`. An existing file is then unchanged.
    package static func write(_ content: Data, to path: String, replaces: Bool) throws(TakeError) {
        guard path == "-" || OutputPlace(path).occupant != .device else {
            let descriptor = open(path, O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw .system(path: path, code: errno) }
            let code = write(content, descriptor)
            guard close(descriptor) == 0, code == 0 else { throw .system(path: path, code: code != 0 ? code : errno) }
            return
        }
        try publish([UnnamedFile(content, for: path, replaces: replaces)])
    }

    /// Removes the file.
    package func discard() {
        unfinished.map(Unfinished.forget)
        unlink(temporaryPath)
    }

    /// Gives complete files their final names: all of them, or none. If a file has appeared under a name in the
    /// meantime, it is kept unless it may be replaced.
    ///
    /// If there are several files and the file system supports hard links, each replaced file keeps a second name until
    /// all files are named. If naming a later file fails, the replaced files are restored.
    ///
    /// - Throws: `exists`, `system`. The temporary files are then removed.
    package static func publish(_ files: [UnnamedFile]) throws(TakeError) {
        var done: [(file: UnnamedFile, way: Way)] = []
        for file in files {
            var way = Way.new
            let code = file.name(keepingFormer: files.count > 1, &way)
            guard code == 0 else {
                if case .kept(let former) = way { unlink(former) }
                for (named, way) in done.reversed() { named.takeBack(way) }
                for file in files { file.discard() }
                throw code == EEXIST ? .exists(path: file.path) : .system(path: file.path, code: code)
            }
            done.append((file, way))
        }
        for (file, way) in done {
            file.unfinished.map(Unfinished.forget)
            if case .kept(let former) = way { unlink(former) }
        }
    }

    /// Outcome of naming a file.
    private enum Way {
        /// The name was free.
        case new
        /// A former file was replaced. It still exists, under this temporary name.
        case kept(String)
        /// The former file was deleted.
        case replaced
    }

    /// Gives the file its name. Returns an error number, or 0.
    private func name(keepingFormer: Bool, _ way: inout Way) -> Int32 {
        let code = Self.move(temporaryPath, to: place)
        guard code == EEXIST, replaces else { return code }
        // Only a regular file may be replaced, not a folder, device or circular link that has appeared in the meantime.
        var status = stat()
        guard stat(place, &status) == 0 else { return errno }
        guard status.st_mode & S_IFMT == S_IFREG else { return EISDIR }
        let former = temporaryPath + ".former"
        way = keepingFormer && link(place, former) == 0 ? .kept(former) : .replaced
        return rename(temporaryPath, place) == 0 ? 0 : errno
    }

    /// Restores the former state of a name. If the former file was deleted, the new file stays.
    private func takeBack(_ way: Way) {
        switch way {
        case .new: unlink(place)
        case .kept(let former): rename(former, place)
        case .replaced: break
        }
    }

    /// Moves a file to a free name. Returns `EEXIST` if the name is in use, another error number, or 0.
    private static func move(_ from: String, to place: String) -> Int32 {
        if link(from, place) == 0 {
            unlink(from)
            return 0
        }
        guard errno != EEXIST else { return EEXIST }
        // Without hard links, an empty file reserves the name first. This fails if the name is in use.
        let descriptor = open(place, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { return errno }
        close(descriptor)
        guard rename(from, place) == 0 else {
            let code = errno
            unlink(place)
            return code
        }
        return 0
    }

    /// Writes all bytes. Returns an error number, or 0.
    private static func write(_ content: Data, _ descriptor: Int32) -> Int32 {
        var rest = content[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : ENOSPC }
            rest = rest.dropFirst(count)
        }
        return 0
    }
}
