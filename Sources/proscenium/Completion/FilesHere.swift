import Foundation

/// Paths that a shell offers in addition to names.
enum FilesHere {
    /// Returns the paths that begin with `typed`: folders, with a slash at the end, and files with one of `endings`, or
    /// all files if it is nil. Hidden entries are offered only after a dot. `~/` at the beginning is the home folder.
    static func offered(_ typed: String, _ endings: [String]?) -> [String] {
        let slash = typed.lastIndex(of: "/")
        let folder = slash.map { String(typed[...$0]) } ?? ""
        let begin = slash.map { typed[typed.index(after: $0)...] } ?? typed[...]
        let home = ProcessInfo.processInfo.environment["HOME"] ?? ""
        let place = folder.hasPrefix("~/") ? home + folder.dropFirst() : folder
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: place.isEmpty ? "." : place)) ?? []
        return entries.sorted().compactMap { name in
            guard name.hasPrefix(begin), !name.hasPrefix(".") || begin.hasPrefix(".") else { return nil }
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: place + name, isDirectory: &isFolder) else { return nil }
            if isFolder.boolValue { return folder + name + "/" }
            return endings?.contains(where: name.lowercased().hasSuffix) ?? true ? folder + name : nil
        }
    }
}
