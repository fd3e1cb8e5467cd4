import Foundation
import Gate

/// The set that `--hrtf` selects.
package enum HRTFSelection: Hashable, Sendable {
    /// The first that exists of the user's default file, Debian's set, and the generated set.
    case automatic
    /// A name from the catalogue, or of a measured person, or else a file of that name.
    case named(String)
    /// A file.
    case file(String)

    /// Word of the command line for the automatic choice.
    package static let automaticWord = "default"

    /// Parses an argument: nil or `default`, a name, or a path (with a slash, or ending in .sofa).
    package init(_ text: String?) {
        guard let text, !text.isEmpty, text != Self.automaticWord else {
            self = .automatic
            return
        }
        if text.contains("/") || text.lowercased().hasSuffix(".sofa") {
            self = .file(text)
        } else {
            self = .named(text)
        }
    }
}

/// A set of the catalogue.
package struct KnownSet: Hashable, Sendable, Codable {
    /// Name on the command line.
    package var name: String
    /// Full name.
    package var title: String
    /// Paths at which the set may be installed. Relative paths are in the library's folders. Empty if the user must
    /// download the set.
    package var paths: [String]
    /// Licence of the set.
    package var licence: String
    /// Authors and publication to credit.
    package var citation: String
    /// Where or how the set can be obtained.
    package var source: String
    /// Description of the set's content.
    package var description: String
    /// Number of directions; in words if the sets of a collection differ.
    package var directions: String
}

/// Finds sets of head-related responses by name, in given folders or the standard ones. It reads the file system. May
/// be used on any thread but the audio thread.
package struct HRTFLibrary: Sendable {
    /// Folders with `catalogue.json` and `generated.sofa`. The first folder that contains the file is used.
    package var folders: [String]
    /// File that the automatic choice uses if it exists.
    package var userDefault: String
    /// Further folders that `search` reads, besides `folders`.
    package var searchFolders: [String]
    /// People measured on this machine; nil: none.
    package var people: MeasuredPeople?
    /// Path of Debian's measured set.
    package static let systemDefault = "/usr/share/libmysofa/default.sofa"

    /// Creates a library with the given paths.
    package init(
        folders: [String], userDefault: String, searchFolders: [String] = [], people: MeasuredPeople? = nil
    ) {
        self.folders = folders
        self.userDefault = userDefault
        self.searchFolders = searchFolders
        self.people = people
    }

    /// Returns the library with the standard paths: `share/proscenium/HRTF` next to the program's `bin`, or `HRTF` in a
    /// folder above the program (a source tree). `$XDG_DATA_HOME/proscenium/hrtf/default.sofa` is the user's own set,
    /// and `$XDG_DATA_HOME/proscenium/people` has the measured people; `$XDG_DATA_HOME` is `~/.local/share` unless it
    /// is an absolute path.
    package static func standard(environment: [String: String], executable: String) -> HRTFLibrary {
        var folder = URL(fileURLWithPath: executable).resolvingSymlinksInPath().deletingLastPathComponent()
        var folders = [folder.deletingLastPathComponent().appendingPathComponent("share/proscenium/HRTF").path]
        for _ in 0..<5 {
            folder = folder.deletingLastPathComponent()
            let candidate = folder.appendingPathComponent("HRTF")
            let catalogue = candidate.appendingPathComponent("catalogue.json").path
            if FileManager.default.fileExists(atPath: catalogue) { folders.append(candidate.path) }
        }
        let home = environment["HOME"] ?? "/"
        let data = BaseFolder.data.named(in: environment) ?? home + "/.local/share"
        let shared = BaseFolder.sharedData(in: environment)
        return HRTFLibrary(
            folders: folders, userDefault: data + "/proscenium/hrtf/default.sofa",
            searchFolders: [data + "/proscenium/hrtf"]
                + shared.flatMap { [$0 + "/proscenium/hrtf", $0 + "/libmysofa"] },
            people: MeasuredPeople(folder: data + "/proscenium/people"))
    }

    /// Returns the library with the standard paths of this process.
    package static func standard() -> HRTFLibrary {
        standard(environment: ProcessInfo.processInfo.environment, executable: "/proc/self/exe")
    }

    /// Returns all sets of the catalogue, each with its path on this machine, which is nil if the set is not installed.
    package func sets() throws(HRTFError) -> [(set: KnownSet, path: String?)] {
        try catalogue().map { ($0, installed($0)) }
    }

    /// Returns whether a name is in the catalogue, installed or not; false if the catalogue cannot be read.
    package func knows(_ name: String) -> Bool { (try? entry(name)) != nil }

    private func entry(_ name: String) throws(HRTFError) -> KnownSet? {
        try catalogue().first { $0.name == name.lowercased() }
    }

    /// Returns the path for a selection. The automatic choice is the user's set, else Debian's, else the generated set.
    /// A name of the catalogue has priority over a person's name, and a person's name over a file in the working
    /// folder.
    package func locate(_ selection: HRTFSelection) throws(HRTFError) -> String {
        switch selection {
        case .file(let path):
            return path
        case .named(let name):
            guard let set = try entry(name) else {
                if let path = try people?.path(.ears, of: name) { return path }
                if FileManager.default.fileExists(atPath: name) { return name }
                let known = try catalogue().filter { !$0.paths.isEmpty }.map(\.name)
                throw .unknownSet(name: name, known: known + (people?.names(having: .ears) ?? []))
            }
            guard let path = installed(set) else {
                throw .notInstalled(
                    name: name, searched: candidates(set),
                    advice: set.paths.isEmpty
                        ? "get it from \(set.source) and give its path" : "to get it: \(set.source)")
            }
            return path
        case .automatic:
            for path in [userDefault, HRTFLibrary.systemDefault] where FileManager.default.fileExists(atPath: path) {
                return path
            }
            return try locate(.named("generated"))
        }
    }

    /// Returns the catalogue's entry for a file; nil for other files.
    package func known(at path: String) -> KnownSet? {
        let real = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        return (try? catalogue())?.first { set in
            candidates(set).contains { URL(fileURLWithPath: $0).resolvingSymlinksInPath().path == real }
        }
    }

    private func installed(_ set: KnownSet) -> String? {
        candidates(set).first { FileManager.default.fileExists(atPath: $0) }
    }

    private func candidates(_ set: KnownSet) -> [String] {
        set.paths.flatMap { path in path.hasPrefix("/") ? [path] : folders.map { $0 + "/" + path } }
    }

    private func catalogue() throws(HRTFError) -> [KnownSet] {
        let paths = folders.map { $0 + "/catalogue.json" }
        guard let path = paths.first(where: { FileManager.default.fileExists(atPath: $0) }) else {
            throw .catalogue(
                path: paths.first ?? "catalogue.json",
                reason: "no such file; is Proscenium installed completely (make install)?")
        }
        struct Catalogue: Codable { var sets: [KnownSet] }
        do {
            let bytes = try BoundedFile.bytes(of: path, most: JSONBounds.written.bytes)
            return try JSONValue.decode(Catalogue.self, from: bytes, within: .written).sets
        } catch {
            throw .catalogue(path: path, reason: "\(error)")
        }
    }
}
