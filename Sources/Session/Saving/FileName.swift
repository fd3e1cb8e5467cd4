import Foundation
import HRTF
import Rooms
import Soundstage

/// What a word names by the rules of an option: a file, one that is not there, or none at all.
enum FileName: Equatable {
    /// A file or a folder of files that is there.
    case at(String)
    /// A file that is not there, or a set that is not installed.
    case missing
    /// Something that needs no file, as a room's name.
    case free

    /// What a word of an option names; a path that is not absolute lies in the session's folder, else where the program was
    /// started.
    init(_ word: String, of option: String, in folder: String) {
        switch option {
        case "hrtf":
            if word.isEmpty || word == "default" {
                self = .free
            } else if case .named(let name) = HRTFSelection(word),
                !FileManager.default.fileExists(atPath: folder + "/" + name)
            {
                let path = try? DataFolders.library.locate(.named(name))
                self = path.map { .at($0) } ?? .missing
            } else {
                self = Self.file(word, in: folder)
            }
        case "room": self = RoomSettings.names.contains(word) ? .free : Self.file(word, in: folder)
        case "headphone-eq": self = word == "none" ? .free : Self.file(word, in: folder)
        case "layout":
            self = word.hasSuffix(".json") || word.contains("/") ? Self.file(word, in: folder) : .free
        case "surface": self = word == "mackie" ? .free : Self.file(word, in: folder)
        default: self = Self.file(word, in: folder)
        }
    }

    private static func file(_ word: String, in folder: String) -> FileName {
        let places = word.hasPrefix("/") ? [word] : [folder + "/" + word, word]
        guard let found = places.first(where: { access($0, R_OK) == 0 }) else { return .missing }
        return .at(URL(fileURLWithPath: found).standardizedFileURL.path)
    }

    /// Where a link leads, or the file that stands in its place; nil where there is neither.
    static func end(of link: String) -> String? {
        guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link) else {
            return access(link, R_OK) == 0 ? link : nil
        }
        return target.hasPrefix("/") ? target : (link as NSString).deletingLastPathComponent + "/" + target
    }
}
