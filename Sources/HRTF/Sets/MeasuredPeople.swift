import Foundation
import Gate
import Glibc

/// The stored measurements of one listener: a folder with an entry for each measurement.
package struct MeasuredPerson: Hashable, Sendable {
    /// Name, by which options, parameters and sessions choose the person's files.
    package let name: String
    /// Path of the person's folder.
    let folder: String

    /// Measurements of a person.
    package enum Part: String, Sendable, CaseIterable {
        /// Responses of loudspeakers at the ears (`measure me`).
        case room
        /// Responses of headphones at the ears (`measure headphones`).
        case headphones

        /// Words of the command that makes the measurement.
        fileprivate var command: String { self == .room ? "measure me" : "measure headphones" }
    }

    /// Files of a person; each kind is chosen by an option of its own.
    package enum File: Sendable, CaseIterable {
        /// The direct sound, for `--hrtf`.
        case ears
        /// The room, for `--room`.
        case room
        /// The headphones, for `--headphone-eq`.
        case headphones

        /// Name of the file in the folder of its measurement.
        package var name: String {
            switch self {
            case .ears: "ears.sofa"
            case .room: "room.sofa"
            case .headphones: "headphones.sofa"
            }
        }

        /// The measurement that makes the file.
        package var part: Part { self == .headphones ? .headphones : .room }
    }

    /// Path of a measurement's entry: its folder, or a link to the folder that the user named.
    package func entry(_ part: Part) -> String { folder + "/" + part.rawValue }

    /// Path of a measurement's folder: the target of the link, or the entry itself.
    package func folder(of part: Part) -> String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: entry(part))) ?? entry(part)
    }

    /// Path of a file, which need not exist.
    package func path(of file: File) -> String { entry(file.part) + "/" + file.name }

    /// Path of a file; nil if there is no such file.
    package func existing(_ file: File) -> String? {
        let path = path(of: file)
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }

    /// Returns whether the person has an entry of a measurement, finished or not.
    package func has(_ part: Part) -> Bool { MeasuredPeople.mode(entry(part)) != nil }

    /// Returns the error of a file that a measurement lacks; nil if the file exists, or if there is no such
    /// measurement.
    package func gap(_ file: File) -> HRTFError? {
        has(file.part) && existing(file) == nil ? missing(file) : nil
    }

    /// Returns the error of a missing file, with the command that makes it.
    fileprivate func missing(_ file: File) -> HRTFError {
        let (command, place) = (file.part.command, folder(of: file.part))
        let isThere = FileManager.default.fileExists(atPath: place)
        return .missing(
            person: name, path: place + "/" + file.name,
            remedy: isThere
                ? "'proscenium \(command) --person \(name)' completes the measurement"
                : "put its folder back, or measure into a new one: 'proscenium \(command) FOLDER --person \(name)'")
    }
}

/// The people measured on this machine, a folder for each. Their names stand for their files wherever a set, a room or
/// an equalisation of headphones is chosen. Nothing is sent anywhere.
///
/// It reads and writes the file system. May be used on any thread but the audio thread.
package struct MeasuredPeople: Hashable, Sendable {
    /// Path of the folder; it need not exist.
    package let folder: String

    /// Greatest length of a name, bytes.
    private static let longest = 64
    /// Greatest number of people that are listed.
    private static let most = 1000
    /// Permissions of the folder: ears identify a person, so other users do not read them.
    private static let own: mode_t = 0o700

    /// Refers to a folder, which need not exist.
    package init(folder: String) { self.folder = folder }

    /// Form of a name, in words.
    package static let form = "letters, digits, - and _, the first a letter or a digit, at most \(longest) bytes"

    /// Returns whether a text can be a name: see `form`. Without slashes, dots, spaces and control characters it is no
    /// path, and needs no quotes in a shell.
    package static func isName(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, first != "-", first != "_", text.utf8.count <= longest else {
            return false
        }
        // Scalars, because a letter and a slash can be one character of a text.
        return text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
                .nonspacingMark, .spacingMark:
                true
            default: scalar == "-" || scalar == "_"
            }
        }
    }

    /// Returns the person with a name if there is an entry of this measurement, finished or not; otherwise nil.
    package func person(_ name: String, having part: MeasuredPerson.Part) -> MeasuredPerson? {
        guard Self.isName(name) else { return nil }
        let person = MeasuredPerson(name: name, folder: folder + "/" + name)
        return person.has(part) ? person : nil
    }

    /// People with a measurement, finished or not, by name, from the first 1000 entries of the folder.
    package var all: [MeasuredPerson] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().prefix(Self.most).compactMap { name in
            person(name, having: .room) ?? person(name, having: .headphones)
        }
    }

    /// Returns the names of the people with a file of this kind.
    package func names(having file: MeasuredPerson.File) -> [String] {
        all.filter { $0.existing(file) != nil }.map(\.name)
    }

    /// Returns the path of a person's file; nil if no person with this name has such a measurement.
    ///
    /// - Throws: `missing` if the folder was moved or removed, or if the measurement is not finished.
    package func path(_ file: MeasuredPerson.File, of name: String) throws(HRTFError) -> String? {
        guard let found = person(name, having: file.part) else { return nil }
        if let gap = found.gap(file) { throw gap }
        return found.path(of: file)
    }
}

/// Measuring a person.
extension MeasuredPeople {
    /// Returns the folder in which a person is to be measured. Makes the folders above the person's own.
    ///
    /// - Parameter typed: the folder that the user named; nil for the folder that the person has, or else a new one.
    /// - Throws: `options` if the person was measured in another folder; `missing` if the person's folder was moved or
    ///   removed and no new one is named; `unwritable` if a folder cannot be made.
    package func begin(_ part: MeasuredPerson.Part, of name: String, in typed: String?) throws(HRTFError) -> String {
        let person = MeasuredPerson(name: name, folder: folder + "/" + name)
        let entry = person.entry(part)
        let isThere = FileManager.default.fileExists(atPath: entry)
        guard let typed else {
            guard isThere || !person.has(part) else {
                throw person.missing(part == .room ? .room : .headphones)
            }
            try make(person)
            return entry
        }
        guard !isThere || Self.isSame(entry, typed) else {
            throw .options(
                reason: "\(name) was measured already, in \(person.folder(of: part)); name another person, or remove "
                    + "\(entry)")
        }
        return typed
    }

    /// Makes a link under a person's name to the folder that the user named, with the finished measurement. A link
    /// whose folder is gone is replaced. Does nothing if the entry already leads to the folder.
    ///
    /// - Throws: `unwritable` if the path cannot be resolved, or if a folder or the link cannot be made.
    package func enter(_ part: MeasuredPerson.Part, of name: String, at typed: String) throws(HRTFError) {
        let person = MeasuredPerson(name: name, folder: folder + "/" + name)
        let entry = person.entry(part)
        guard !Self.isSame(entry, typed) else { return }
        let path: String
        do throws(PathRefusal) { path = try PathText.resolved(typed) } catch {
            throw .unwritable(path: typed, reason: error.description)
        }
        try make(person)
        if Self.mode(entry) == S_IFLNK, !FileManager.default.fileExists(atPath: entry) { unlink(entry) }
        guard symlink(path, entry) == 0 else {
            throw .unwritable(path: entry, reason: String(cString: strerror(errno)))
        }
    }

    /// Makes a person's folder and those above it.
    private func make(_ person: MeasuredPerson) throws(HRTFError) {
        let isNew = Self.mode(folder) == nil
        do {
            try FileManager.default.createDirectory(atPath: person.folder, withIntermediateDirectories: true)
        } catch {
            throw .unwritable(path: person.folder, reason: error.localizedDescription)
        }
        if isNew { chmod(folder, Self.own) }
    }

    /// Returns whether two paths lead to the same file or folder.
    private static func isSame(_ a: String, _ b: String) -> Bool {
        URL(fileURLWithPath: a).resolvingSymlinksInPath().path
            == URL(fileURLWithPath: b).resolvingSymlinksInPath().path
    }

    /// Returns the kind of the entry at a path, without following a link; nil if there is none.
    fileprivate static func mode(_ path: String) -> mode_t? {
        var found = stat()
        return lstat(path, &found) == 0 ? found.st_mode & S_IFMT : nil
    }
}
