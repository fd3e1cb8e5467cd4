import Foundation
import HRTF
import Stages

/// Meaning of an option's word: an existing file, a missing one, or no file.
package enum FileName: Equatable {
    /// Path of an existing file, or of a folder of files.
    case at(String)
    /// A missing file, also that of a measured person, or an HRTF set that is not installed.
    case missing
    /// A word that needs no file, such as a room's name.
    case free

    /// Interprets a word of an option. A relative path is resolved in the session's folder, else in the working
    /// directory.
    package init(_ word: String, of option: String, in folder: String) {
        let kind = MakingName(option: option)
        switch kind {
        case let kind? where kind.knows(word):
            // The file of an HRTF set or a person may be missing; other built-in names need no file.
            if kind == .hrtf, case .named(let name) = HRTFSelection(word) {
                self = (try? DataFolders.library.locate(.named(name))).map { .at($0) } ?? .missing
            } else if kind.isBuiltIn(word) {
                self = .free
            } else {
                self = (try? kind.path(of: word)).map { .at($0) } ?? .missing
            }
        // An unknown layout name is refused when the stage is built.
        case .layout? where !MakingName.layout.isFile(word, in: folder) && !MakingName.layout.isFile(word): self = .free
        default: self = Self.file(word, in: folder)
        }
    }

    private static func file(_ word: String, in folder: String) -> FileName {
        let places = word.hasPrefix("/") ? [word] : [folder + "/" + word, word]
        guard let found = places.first(where: { access($0, R_OK) == 0 }) else { return .missing }
        return .at(URL(fileURLWithPath: found).standardizedFileURL.path)
    }

    /// Returns the target of a link; the path itself if it is a file and no link; nil if there is neither.
    package static func end(of link: String) -> String? {
        guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link) else {
            return access(link, R_OK) == 0 ? link : nil
        }
        return target.hasPrefix("/") ? target : (link as NSString).deletingLastPathComponent + "/" + target
    }
}
