import Glibc

/// Final place of an output file.
///
/// A symbolic link is followed, as by a shell's `>`, sox and ffmpeg. Its target is checked and replaced, and the link
/// stays a link. If the target is missing, it is created.
package struct OutputPlace: Equatable, Sendable {
    /// Kind of the file at a path.
    package enum Occupant: Equatable, Sendable {
        case none
        case file
        case folder
        /// Device, pipe, socket or open descriptor. It is written to, not replaced.
        case device
    }

    /// Path as given by the user.
    package let path: String
    /// Path after following symbolic links. For a device or a folder, and if there are too many links, it is equal to
    /// `path`.
    package let resolved: String

    /// Greatest number of symbolic links that are followed, as in the kernel (path_resolution(7)).
    private static let mostLinks = 40

    /// Resolves a path.
    package init(_ path: String) {
        self.path = path
        resolved = Self.resolve(path)
    }

    /// Kind of the file that is at the path at present; `none` also if the file cannot be examined.
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
        for _ in 0...mostLinks {
            guard let target = target(of: place) else { return place }
            let folder = place.lastIndex(of: "/").map { String(place[...$0]) } ?? ""
            place = target.hasPrefix("/") ? target : folder + target
        }
        return path
    }

    /// Returns the target of a symbolic link; nil if the path is not a link.
    private static func target(of path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }

    /// Returns the first two paths that name the same file, also by different spellings or symbolic links; nil if there
    /// are none. Devices may be named repeatedly.
    package static func collision(_ paths: [String]) -> (String, String)? {
        var seen: [String: String] = [:]
        for path in paths {
            let place = OutputPlace(path)
            guard place.occupant != .device else { continue }
            if let first = seen.updateValue(path, forKey: place.absolute) { return (first, path) }
        }
        return nil
    }

    /// Absolute path of the file after following all links; `resolved` if the folder does not exist.
    private var absolute: String {
        let slash = resolved.lastIndex(of: "/")
        guard let folder = realpath(slash.map { String(resolved[...$0]) } ?? ".", nil) else { return resolved }
        defer { free(folder) }
        return String(cString: folder) + "/" + (slash.map { resolved[resolved.index(after: $0)...] } ?? resolved[...])
    }

    /// Returns whether a path names an open descriptor, as `/dev/stdout` does. Such a path counts as a device: even if
    /// the descriptor refers to a regular file, the file is not replaced, because it belongs to the program that opened
    /// it.
    private static func isDescriptor(_ path: String) -> Bool {
        ["/dev/stdin", "/dev/stdout", "/dev/stderr"].contains(path)
            || ["/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/"].contains { path.hasPrefix($0) }
    }
}
