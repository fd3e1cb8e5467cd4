import Glibc

/// Where a file lies that is named as an output.
///
/// A symbolic link is followed, as a shell's `>`, sox and ffmpeg follow it: the file that it leads to is asked about
/// and replaced, and the link stays a link. One that leads to no file yet has its file made there.
package struct OutputPlace: Equatable, Sendable {
    /// What has a name.
    package enum Occupant: Equatable, Sendable {
        case none
        case file
        case folder
        /// A device, a pipe, a socket, or an open descriptor: it is written into, and nothing of it is replaced.
        case device
    }

    /// As it was named.
    package let path: String
    /// The path behind symbolic links; of a device the path itself.
    package let resolved: String

    /// The most symbolic links that are followed, as in the kernel (path_resolution(7)).
    private static let mostLinks = 40

    /// The place of a path.
    package init(_ path: String) {
        self.path = path
        resolved = Self.resolve(path)
    }

    /// What has the name now.
    package var occupant: Occupant {
        guard !Self.isDescriptor(path) else { return .device }
        var status = stat()
        guard stat(resolved, &status) == 0 else { return .none }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        default: return .device
        }
    }

    private static func resolve(_ path: String) -> String {
        guard !isDescriptor(path) else { return path }
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG, let real = realpath(path, nil) else { return path }
            defer { free(real) }
            return String(cString: real)
        }
        var place = path
        for _ in 0..<mostLinks {
            guard let target = target(of: place) else { return place }
            let folder = place.lastIndex(of: "/").map { String(place[...$0]) } ?? ""
            place = target.hasPrefix("/") ? target : folder + target
        }
        return path
    }

    /// What a symbolic link says; nil where it is none.
    private static func target(of path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }

    /// Whether a path names what is open already, as `/dev/stdout` does: where that is a file, too, it belongs to the
    /// program that opened it.
    private static func isDescriptor(_ path: String) -> Bool {
        ["/dev/stdin", "/dev/stdout", "/dev/stderr"].contains(path)
            || ["/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/"].contains { path.hasPrefix($0) }
    }
}
