import Foundation
import Gate
import Glibc
import Loading

/// Consents of this user to the requests of session folders beyond sound (`SessionReach`), by folder. A folder that is
/// moved, or requests more than before, needs a new consent.
///
/// The entries are in a JSON file, `$XDG_STATE_HOME/proscenium/sessions.json`. If two sessions write it at the same
/// time, one entry is lost, and that folder needs consent again.
package struct KnownSessions {
    private static let version = 1.0
    /// Greatest number of folders; the oldest entries are removed first.
    private static let most = 1000

    private struct Note: Equatable {
        var folder: String
        var agreed: [String]
    }

    private let path: String
    private var notes: [Note] = []

    /// Reads the entries of this user, or of a file.
    package init(path: String = SessionDocument.stateFolder + "/sessions.json") {
        self.path = path
        guard let json = try? JSONFile.value(at: path, within: .session), json["version"]?.number == Self.version,
            case .list(let list)? = json["sessions"]
        else { return }
        notes = list.compactMap { note in
            guard let folder = note["folder"]?.text, case .list(let agreed)? = note["agreed"] else { return nil }
            return Note(folder: folder, agreed: agreed.compactMap(\.text))
        }
    }

    /// Returns whether the folder has an entry: this user has saved it on this machine, or has agreed to its requests.
    package func knows(_ folder: String) -> Bool { note(of: folder) != nil }

    /// Returns the parts of a folder's reach that were agreed to.
    package func agreed(_ reach: SessionReach, in folder: String) -> Set<SessionReach.Part> {
        let words = Set(note(of: folder)?.agreed ?? [])
        return Set(reach.parts.filter { words.contains($0.words) })
    }

    /// Enters a folder with the parts of its reach that were agreed to.
    ///
    /// - Throws: `SessionError` if the file cannot be written.
    package mutating func note(_ folder: String, _ agreed: Set<SessionReach.Part>) throws(SessionError) {
        guard let real = Self.real(folder) else { return }
        let new = Note(folder: real, agreed: agreed.map(\.words).sorted())
        guard note(of: folder) != new else { return }
        notes.removeAll { $0.folder == real }
        notes.append(new)
        notes.removeFirst(max(0, notes.count - Self.most))
        let sessions = notes.map {
            JSONValue.object(["folder": .text($0.folder), "agreed": .list($0.agreed.map { .text($0) })])
        }
        let json = JSONValue.object(["version": .number(Self.version), "sessions": .list(sessions)])
        do {
            let folder = (path as NSString).deletingLastPathComponent
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data((json.page + "\n").utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw SessionError(.environment, "\(path) cannot be written: \(error.localizedDescription)")
        }
    }

    private func note(of folder: String) -> Note? {
        Self.real(folder).flatMap { real in notes.first { $0.folder == real } }
    }

    private static func real(_ folder: String) -> String? {
        guard let real = realpath(folder, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
