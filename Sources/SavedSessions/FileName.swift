import Foundation
import HRTF
import Stages

/// What a word names by the rules of an option: a file, one that is not there, or none at all.
package enum FileName: Equatable {
    /// A file or a folder of files that is there.
    case at(String)
    /// A file that is not there, or a set that is not installed.
    case missing
    /// Something that needs no file, as a room's name.
    case free

    /// What a word of an option names; a path that is not absolute lies in the session's folder, else where the program
    /// was started.
    package init(_ word: String, of option: String, in folder: String) {
        let kind = MakingName(option: option)
        switch kind {
        case let kind? where kind.knows(word):
            // A set has a file that may not be installed; what else is built in has none.
            if kind == .hrtf, case .named(let name) = HRTFSelection(word) {
                self = (try? DataFolders.library.locate(.named(name))).map { .at($0) } ?? .missing
            } else {
                self = .free
            }
        // A layout's name that this version does not know is refused where the stage is made.
        case .layout? where !MakingName.layout.isFile(word, in: folder) && !MakingName.layout.isFile(word): self = .free
        default: self = Self.file(word, in: folder)
        }
    }

    private static func file(_ word: String, in folder: String) -> FileName {
        let places = word.hasPrefix("/") ? [word] : [folder + "/" + word, word]
        guard let found = places.first(where: { access($0, R_OK) == 0 }) else { return .missing }
        return .at(URL(fileURLWithPath: found).standardizedFileURL.path)
    }

    /// Where a link leads, or the file that stands in its place; nil where there is neither.
    package static func end(of link: String) -> String? {
        guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link) else {
            return access(link, R_OK) == 0 ? link : nil
        }
        return target.hasPrefix("/") ? target : (link as NSString).deletingLastPathComponent + "/" + target
    }
}
