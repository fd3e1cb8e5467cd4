import Foundation
import HRTF
import Loading
import Rooms
import Soundstage

/// Kinds of choices whose value is a built-in name, the name of a measured person, or a file. The functions find out
/// which of the three a word is. The rule is the same for the command line, the config file, all control interfaces,
/// saved sessions and scenes: a built-in name has priority over a person's, and both over a file in the working folder.
/// A file with such a name is written with its folder, as `./kemar`.
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

    /// Returns whether a word is a name: a built-in one, or that of a measured person, whose file may be missing.
    package func knows(_ word: String) -> Bool { isBuiltIn(word) || isPerson(word) }

    /// Returns whether a word is a built-in name, including that of a set in the catalogue that is not installed.
    package func isBuiltIn(_ word: String) -> Bool {
        switch self {
        case .layout: Layout.allNames.contains(word)
        case .hrtf: HRTFSelection(word) == .automatic || DataFolders.library.knows(word)
        case .room: RoomSettings.names.contains(word)
        case .headphones: word == "none"
        case .surface: word == "mackie"
        }
    }

    /// Returns whether a word is a file: it is not a name, and is written as a path or exists relative to a folder.
    package func isFile(_ word: String, in folder: String = FileManager.default.currentDirectoryPath) -> Bool {
        guard !knows(word) else { return false }
        return isPath(word) || FileManager.default.fileExists(atPath: Self.path(word, in: folder))
    }

    /// Returns whether a word that is no name must be a path; any other word may be a misspelt name.
    private func isPath(_ word: String) -> Bool {
        switch self {
        case _ where word.contains("/"), .headphones, .surface: true
        case .layout: word.hasSuffix(".json")
        case .hrtf: word.lowercased().hasSuffix(".sofa")
        case .room: word.contains(".")
        }
    }

    /// Returns the word in a form that is valid in every working folder. The path of a file relative to `folder`
    /// becomes absolute; other words are unchanged.
    package func whole(_ word: String, in folder: String = FileManager.default.currentDirectoryPath) -> String {
        isFile(word, in: folder) ? Self.path(word, in: folder) : word
    }

    private static func path(_ word: String, in folder: String) -> String {
        word.hasPrefix("/") ? word : folder + "/" + (word.hasPrefix("./") ? String(word.dropFirst(2)) : word)
    }
}

/// Measured people.
extension MakingName {
    /// File of a measured person that a name stands for; nil for layouts and surfaces.
    private var file: MeasuredPerson.File? {
        switch self {
        case .hrtf: .ears
        case .room: .room
        case .headphones: .headphones
        case .layout, .surface: nil
        }
    }

    private func isPerson(_ word: String) -> Bool {
        guard let file else { return false }
        return DataFolders.library.people?.person(word, having: file.part) != nil
    }

    /// Names of the measured people with a file of this kind. Reads their folders.
    package var people: [String] {
        guard let file else { return [] }
        return (DataFolders.library.people?.names(having: file) ?? []).filter { !isBuiltIn($0) }
    }

    /// Names to choose from, the default first, except for layouts, which begin with the smallest. Reads the catalogue
    /// of sets and the people's folders; takes a millisecond.
    package var choices: [String] {
        switch self {
        case .layout: Layout.allNames
        case .hrtf: DataFolders.setNames + people
        case .room: RoomSettings.names + people
        case .headphones: ["none"] + people
        case .surface: ["mackie"]
        }
    }

    /// Returns the path that a measured person's name stands for; other words are returned unchanged.
    ///
    /// - Throws: an error if the person's file is missing.
    package func path(of word: String) throws(SessionError) -> String {
        guard let file, !isBuiltIn(word) else { return word }
        do throws(HRTFError) {
            guard let path = try DataFolders.library.people?.path(file, of: word) else { return word }
            return path
        } catch {
            throw SessionError(error)
        }
    }

    /// Returns whether a person's name would be hidden by a built-in one, whatever the case of its letters.
    package static func hides(_ name: String) -> Bool {
        allCases.contains { $0.file != nil && ($0.isBuiltIn(name) || $0.isBuiltIn(name.lowercased())) }
    }
}
