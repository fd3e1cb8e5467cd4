import Foundation
import SOFA

/// A set of head-related responses on this machine. Only the file's attributes and positions are read.
package struct InstalledSet: Sendable {
    /// Path of the file, links resolved.
    package let path: String
    /// The catalogue's entry for the file; nil for other files.
    package let known: KnownSet?
    /// Summary of the file; nil if it cannot be read.
    package let summary: SOFASummary?
    /// Reason why the summary cannot be read; nil if it was read.
    package let problem: SOFAError?

    /// Reads the file's attributes and positions. Nil if the file contains no head-related set.
    init?(at path: String, known: KnownSet?) async {
        self.path = path
        self.known = known
        do throws(SOFAError) {
            let summary = try await SOFASummary(SOFAInspection(path))
            guard summary.convention.purpose == .head, !summary.isRoom else { return nil }
            (self.summary, problem) = (summary, nil)
        } catch {
            (summary, problem) = (nil, error)
        }
    }

    /// Title of the set: from the catalogue, else from the file, else the file's name.
    package var title: String {
        let own = (path as NSString).lastPathComponent
        if let known { return known.title }
        let title = summary?.attributes["Title"]?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        return title.isEmpty ? own : title
    }

    /// Licence of the set. The catalogue has precedence over the file, because some files contradict their authors.
    package var licence: String {
        let own = summary?.attributes["License"]?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        return known?.licence ?? (own.isEmpty ? "the file names none" : own)
    }
}

/// A person measured on this machine, as a search finds them.
package struct FoundPerson: Sendable {
    /// The person.
    package let person: MeasuredPerson
    /// Set of the ears; nil if it was not measured, its measurement is not finished, or its file is no head's.
    package let ears: InstalledSet?
}

/// Result of a search: the sets and people that were found and the folders that were searched.
package struct SetSearch: Sendable {
    /// Sets, each file once, in the order of the search.
    package var sets: [InstalledSet] = []
    /// Folders that were searched, in order; only those that exist.
    package var folders: [String] = []
    /// Number of SOFA files without head-related responses, such as rooms and headphones.
    package var others = 0
    /// Measured people, by name.
    package var people: [FoundPerson] = []
}

extension HRTFLibrary {
    /// Largest number of files that one search opens.
    private static let mostFiles = 10_000

    /// Searches the standard places: the user's folder, `proscenium/hrtf` and `libmysofa` in the system's data folders,
    /// and the program's own folder. It also searches the given files and folders with their subfolders, and lists the
    /// measured people. It reads attributes and positions, some milliseconds per file. May be called on any thread but
    /// the audio thread.
    ///
    /// - Throws: `implausible` if a given path does not exist.
    package func search(alsoIn paths: [String] = []) async throws(HRTFError) -> SetSearch {
        var found = SetSearch()
        var files: [String] = []
        let known = (try? sets()) ?? []
        files += [userDefault] + known.compactMap(\.path)
        for folder in searchFolders + folders
        where !found.folders.contains(folder) && FileManager.default.fileExists(atPath: folder) {
            found.folders.append(folder)
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            files += names.sorted().map { folder + "/" + $0 }
        }
        for path in paths {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
                throw .implausible(path: path, reason: "no such file or folder; give one that holds .sofa files")
            }
            guard isFolder.boolValue else {
                files.append(path)
                continue
            }
            found.folders.append(path)
            let below = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
            files += below.sorted().map { path + "/" + $0 }
        }
        var seen: Set<String> = []
        for file in files where file.lowercased().hasSuffix(".sofa") && FileManager.default.fileExists(atPath: file) {
            let real = URL(fileURLWithPath: file).resolvingSymlinksInPath().path
            guard seen.count < HRTFLibrary.mostFiles, seen.insert(real).inserted else { continue }
            if let set = await InstalledSet(at: real, known: self.known(at: file)) {
                found.sets.append(set)
            } else {
                found.others += 1
            }
        }
        for person in people?.all ?? [] {
            var ears: InstalledSet?
            if let path = person.existing(.ears) { ears = await InstalledSet(at: path, known: nil) }
            found.people.append(FoundPerson(person: person, ears: ears))
        }
        return found
    }
}
