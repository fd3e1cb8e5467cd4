import Foundation
import Headphones
import Signal

/// Sound files that are named in the text file of an equaliser (`Convolution:`), and their paths.
package enum EqualiserResponses {
    /// Returns the files that a text names, each once, in order; empty if the file cannot be read or is not a valid
    /// text of an equaliser.
    package static func named(in path: String) -> [String] {
        guard let file = FileHandle(forReadingAtPath: path) else { return [] }
        defer { try? file.close() }
        guard let bytes = try? file.read(upToCount: EqualiserText.mostBytes + 1),
            bytes.count <= EqualiserText.mostBytes, let text = EqualiserText.decoded(bytes),
            let read = try? EqualiserText(text, name: path)
        else { return [] }
        var seen: Set<String> = []
        return read.responses.map(\.path).filter { seen.insert($0).inserted }
    }

    /// Returns the path of a named file, relative to the folder of the text. If there is no such file, but a saved
    /// session has kept one in `folder(of:)`, returns the path of that one.
    package static func place(of named: String, in path: String) -> String {
        let folder = (URL(fileURLWithPath: path).resolvingSymlinksInPath().path as NSString).deletingLastPathComponent
        let plain = named.replacing("\\", with: "/")
        let said = plain.hasPrefix("/") ? plain : folder + "/" + plain
        let kept = self.folder(of: path) + "/" + keptName(named)
        let isKept = !FileManager.default.fileExists(atPath: said) && FileManager.default.fileExists(atPath: kept)
        return isKept ? kept : said
    }

    /// Folder in which sessions keep the named files: beside the text, or beside a link to the text.
    package static func folder(of path: String) -> String { path + ".responses" }

    /// Returns the name of a named file in that folder: its path with `%` and `/` escaped, as in URLs. If the result is
    /// too long, the name is the SHA-256 of it, with the extension.
    package static func keptName(_ named: String) -> String {
        let plain = named.replacing("\\", with: "/").replacing("%", with: "%25").replacing("/", with: "%2F")
        guard plain.utf8.count > longestName else { return plain }
        var hash = SHA256()
        Array(plain.utf8).withUnsafeBytes { hash.add($0) }
        let end = (named as NSString).pathExtension
        return hash.finish() + (end.utf8.count <= 8 && !end.isEmpty ? "." + end : "")
    }

    /// Greatest length of a kept name, bytes; all usual file systems permit it.
    private static let longestName = 200
}
