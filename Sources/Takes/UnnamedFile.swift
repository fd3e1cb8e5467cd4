import Foundation
import Glibc

/// A file that is complete but for its name: it lies under a temporary one beside its place.
package struct UnnamedFile: Sendable {
    /// As it was named.
    package let path: String
    /// Where it lies until then.
    package let temporaryPath: String
    /// The path behind symbolic links.
    private let place: String
    private let replaces: Bool
    /// For the file to be removed where the program is left in haste; nil where another part sees to that.
    private let unfinished: Int?

    /// A complete file at `temporaryPath`, in the folder of the place.
    ///
    /// - Parameter replaces: a file of its name is replaced; else that is an error, and the file stays as it is.
    package init(at temporaryPath: String, for place: OutputPlace, replaces: Bool) {
        self.init(at: temporaryPath, for: place, replaces: replaces, unfinished: nil)
    }

    private init(at temporaryPath: String, for place: OutputPlace, replaces: Bool, unfinished: Int?) {
        (self.temporaryPath, self.replaces, self.unfinished) = (temporaryPath, replaces, unfinished)
        (path, self.place) = (place.path, place.resolved)
    }

    /// Writes a content that has no name yet.
    ///
    /// - Throws: `exists`, `notAFile` for all but files, `standardStream` for `-`, `system`; nothing is left then.
    package init(_ content: Data, for path: String, replaces: Bool) throws(TakeError) {
        guard path != "-" else { throw .standardStream }
        let place = OutputPlace(path)
        switch place.occupant {
        case .none: break
        case .file:
            guard replaces else { throw .exists(path: path) }
            // A name is the folder's; that a file may not be written to counts all the same.
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

    /// Writes a content under a name at once: the file appears when it is complete; into a device or pipe it is written
    /// as it is.
    ///
    /// - Throws: as `init`; a file that was there is then as it was.
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

    /// Removes it.
    package func discard() {
        unfinished.map(Unfinished.forget)
        unlink(temporaryPath)
    }

    /// Gives complete files their names: all of them, or none. A file that has come up meanwhile under a name that is
    /// not to be replaced is left as it is.
    ///
    /// Where there are several, each that is replaced keeps a second name until all are done, on file systems that have
    /// hard links, and comes back where a later one fails.
    ///
    /// - Throws: `exists`, `system`; the temporary files are then removed.
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

    /// How a file gets its name.
    private enum Way {
        /// No file had it.
        case new
        /// The former file is under this one.
        case kept(String)
        /// The former file is gone.
        case replaced
    }

    /// Gives it its name; an error number, or 0.
    private func name(keepingFormer: Bool, _ way: inout Way) -> Int32 {
        let code = Self.move(temporaryPath, to: place)
        guard code == EEXIST, replaces else { return code }
        // What has come up in a file's place is not agreed to: a folder, a device, a link in a circle.
        var status = stat()
        guard stat(place, &status) == 0 else { return errno }
        guard status.st_mode & S_IFMT == S_IFREG else { return EISDIR }
        let former = temporaryPath + ".former"
        way = keepingFormer && link(place, former) == 0 ? .kept(former) : .replaced
        return rename(temporaryPath, place) == 0 ? 0 : errno
    }

    /// Has a name be what it was before, as far as that is there yet.
    private func takeBack(_ way: Way) {
        switch way {
        case .new: unlink(place)
        case .kept(let former): rename(former, place)
        case .replaced: break
        }
    }

    /// Moves a file to a name that no other file has; `EEXIST` where one has it, else another error number, or 0.
    private static func move(_ from: String, to place: String) -> Int32 {
        if link(from, place) == 0 {
            unlink(from)
            return 0
        }
        guard errno != EEXIST else { return EEXIST }
        // No hard links here: an empty file takes the name first, and the system says whether it could.
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

    /// Writes all bytes; an error number, or 0.
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
