import Foundation
import HRTF
import Rooms
import Soundstage

/// Meaning of a word that may be a built-in name or a file. The rule holds for the command line, the config file, all
/// doors, saved sessions and scenes: a built-in name has priority over a file in the working folder. A file of the same
/// name is written with its folder, for example `./kemar`.
package enum MakingName: String, Sendable, CaseIterable {
    case layout, hrtf, room
    case headphones = "headphone-eq"
    case surface

    /// Creates the kind of an option of `run`; nil if the option has no built-in names.
    package init?(option: String) { self.init(rawValue: option) }

    /// Creates the kind of a parameter; nil if the parameter has no built-in names.
    package init?(parameter: Parameter) {
        guard parameter.text != nil else { return nil }
        self.init(option: parameter.option)
    }

    /// Returns whether a word is a built-in name, including that of a set in the catalogue that is not installed.
    package func knows(_ word: String) -> Bool {
        switch self {
        case .layout: Layout.allNames.contains(word)
        case .hrtf: HRTFSelection(word) == .automatic || DataFolders.library.knows(word)
        case .room: RoomSettings.names.contains(word)
        case .headphones: word == "none"
        case .surface: word == "mackie"
        }
    }

    /// Returns whether a word is a file: it is not a built-in name, and is written as a path or exists relative to a
    /// folder.
    package func isFile(_ word: String, in folder: String = FileManager.default.currentDirectoryPath) -> Bool {
        guard !knows(word) else { return false }
        return isPath(word) || FileManager.default.fileExists(atPath: Self.path(word, in: folder))
    }

    /// Returns whether a word that is not built in must be a path; any other word may be a misspelt name.
    private func isPath(_ word: String) -> Bool {
        switch self {
        case _ where word.contains("/"), .headphones, .surface: true
        case .layout: word.hasSuffix(".json")
        case .hrtf: word.lowercased().hasSuffix(".sofa")
        case .room: word.contains(".")
        }
    }

    /// Returns the word for a session in any folder. The path of a file relative to `folder` becomes absolute; other
    /// words are unchanged.
    package func whole(_ word: String, in folder: String = FileManager.default.currentDirectoryPath) -> String {
        isFile(word, in: folder) ? Self.path(word, in: folder) : word
    }

    private static func path(_ word: String, in folder: String) -> String {
        word.hasPrefix("/") ? word : folder + "/" + (word.hasPrefix("./") ? String(word.dropFirst(2)) : word)
    }
}
