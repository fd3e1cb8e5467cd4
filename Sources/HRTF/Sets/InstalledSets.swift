import Foundation
import SOFA

/// A set of head-related responses found on this machine: what its file says, without its responses being read.
package struct InstalledSet: Sendable {
    /// The file, links resolved.
    package let path: String
    /// The catalogue's entry, if it is one of its own.
    package let known: KnownSet?
    /// What it holds; nil where it cannot be told.
    package let summary: SOFASummary?
    /// Why not.
    package let problem: SOFAError?

    /// Reads the file's attributes and positions; nil where it is something else than a head's set.
    init?(at path: String, known: KnownSet?) async {
        self.path = path
        self.known = known
        do throws(SOFAError) {
            let summary = try await SOFASummary(SOFAInspection(path))
            guard summary.convention.purpose == .head else { return nil }
            (self.summary, problem) = (summary, nil)
        } catch {
            (summary, problem) = (nil, error)
        }
    }

    /// What it is called: the catalogue's name for it, the file's title, or the file's own name.
    package var title: String {
        let own = (path as NSString).lastPathComponent
        if let known { return known.title }
        let title = summary?.attributes["Title"]?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        return title.isEmpty ? own : title
    }

    /// Its licence: the catalogue's word for what it knows, since some files say otherwise than their authors; else the
    /// file's.
    package var licence: String {
        let own = summary?.attributes["License"]?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        return known?.licence ?? (own.isEmpty ? "the file names none" : own)
    }
}

/// Sets found, and folders that were looked through.
package struct SetSearch: Sendable {
    /// By path, each file once.
    package var sets: [InstalledSet] = []
    /// Folders that exist, in the order they were looked through.
    package var folders: [String] = []
    /// SOFA files there that hold no head: rooms, headphones.
    package var others = 0
}

extension HRTFLibrary {
    /// The most files one search opens.
    private static let mostFiles = 10_000

    /// Looks for sets in the usual places: the user's folder, `proscenium/hrtf` and `libmysofa` in the system's data
    /// folders, the program's own; and in folders (with all below them) or files given. Attributes and positions are
    /// read, some milliseconds a file. Any thread but the audio thread.
    ///
    /// - Throws: `implausible` where a path given does not exist.
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
        return found
    }
}
