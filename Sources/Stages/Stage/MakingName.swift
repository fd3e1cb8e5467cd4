import Foundation
import HRTF
import Rooms
import Soundstage

/// What a word means that may be a built-in name or a file: the one rule of the command line, the config file, all
/// doors, saved sessions and scenes. A built-in name comes first, whatever lies in the working folder; a file of such a
/// name is written with a folder, as `./kemar`.
package enum MakingName: String, Sendable, CaseIterable {
    case layout, hrtf, room
    case headphones = "headphone-eq"
    case surface

    /// What an option of `run` names; nil where it names nothing that is built in.
    package init?(option: String) { self.init(rawValue: option) }

    /// What a parameter names; nil where it names nothing that is built in.
    package init?(parameter: Parameter) {
        guard parameter.text != nil else { return nil }
        self.init(option: parameter.option)
    }

    /// Whether a word is a built-in name, on this machine or not: of a set in the catalogue that is not installed too.
    package func knows(_ word: String) -> Bool {
        switch self {
        case .layout: Layout.allNames.contains(word)
        case .hrtf: HRTFSelection(word) == .automatic || DataFolders.library.knows(word)
        case .room: RoomSettings.names.contains(word)
        case .headphones: word == "none"
        case .surface: word == "mackie"
        }
    }

    /// Whether a word means a file: it is no built-in name, and is written as a path, or there is such a file, seen
    /// from a folder.
    package func isFile(_ word: String, in folder: String = FileManager.default.currentDirectoryPath) -> Bool {
        guard !knows(word) else { return false }
        return isPath(word) || FileManager.default.fileExists(atPath: Self.path(word, in: folder))
    }

    /// Whether a word that is no built-in name can be nothing but a path; any other may be a name that is mistyped.
    private func isPath(_ word: String) -> Bool {
        switch self {
        case _ where word.contains("/"), .headphones, .surface: true
        case .layout: word.hasSuffix(".json")
        case .hrtf: word.lowercased().hasSuffix(".sofa")
        case .room: word.contains(".")
        }
    }

    /// The word for a session that may stand in another folder: with the whole path where it means a file, seen from a
    /// folder.
    package func whole(_ word: String, in folder: String = FileManager.default.currentDirectoryPath) -> String {
        isFile(word, in: folder) ? Self.path(word, in: folder) : word
    }

    private static func path(_ word: String, in folder: String) -> String {
        word.hasPrefix("/") ? word : folder + "/" + (word.hasPrefix("./") ? String(word.dropFirst(2)) : word)
    }
}
