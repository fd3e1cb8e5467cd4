import AudioIO
import Foundation
import Gate
import Glibc
import Loading
import Stages

/// What a session's folder holds, as `session.json` has it: all that is needed to come back.
///
/// Version 2; version 1 had its options beside its version. What this version does not understand is kept as it is,
/// wherever it stands, and told in `remarks`.
package struct SavedSession: Sendable, Equatable {
    /// The version that is written, and the step within it: what a step adds, earlier programs of the version keep.
    package static let version = 2, step = 1
    /// The file's name in its folder.
    package static let fileName = "session.json"
    /// The folder of a scene's chains with the plugins' states, in the session's.
    package static func plugins(of scene: String) -> String {
        scene == SceneFacts.names[0] ? "plugins" : "plugins-" + scene
    }
    /// The folder of links to the files it uses.
    package static let files = "files"

    /// Options of the command line, without their dashes; a list for those that may stand several times.
    package var options: [String: JSONValue] = [:]
    /// Values by address.
    package var state: [String: ParameterValue] = [:]
    /// The name of the JACK client, and its connections.
    package var client = "", links: [JACKLink] = []
    /// The scene that is heard, and the others by name: what each is built of, by parameter.
    package var scene = SceneFacts.names[0], scenes: [String: [String: ParameterValue]] = [:]
    /// Files it uses, by the option that names them, by `input:NAME` or `effect:NAME`, or, of another scene, by
    /// `SCENE/PARAMETER`.
    package var used: [String: UsedFile] = [:]
    /// How each input met the listener before a comparison that was under way, a word by name.
    package var modes: [String: String] = [:]
    /// What is known of the trackers that were followed, by the names they are remembered under.
    package var trackers: [String: JSONValue] = [:]
    /// Whether it is options alone, as people write them by hand: read, and never written.
    package internal(set) var isTemplate = false
    /// The step of the version it was written by; 0: before there were any.
    package internal(set) var step = Self.step
    /// What stands in the file that this version does not understand, a sentence each.
    package internal(set) var remarks: [String] = []
    /// What else stands in the file; in its sections, by section and key; and among the connections.
    package var others: [String: JSONValue] = [:], unread: [String: [String: JSONValue]] = [:],
        unreadLinks: [JSONValue] = []

    /// A file that a session uses, where it was and what was in it.
    package struct UsedFile: Sendable, Equatable {
        /// Its path when the session was saved.
        package var path: String
        /// SHA-256 of its content, in hexadecimal digits.
        package var hash: String
        /// The name of the link to it in the session's folder.
        package var link: String
        /// How it was named.
        package var named: String
        /// SHA-256 of the sound files that it names itself, an equaliser's text, as they are named there.
        package var parts: [String: String] = [:]
        /// What else is said of it.
        package var others: [String: JSONValue] = [:]

        /// A file by its path, the hash of its content, its link's name and the word that names it.
        package init(path: String, hash: String, link: String, named: String) {
            (self.path, self.hash, self.link, self.named) = (path, hash, link, named)
        }
    }

    /// Nothing yet.
    package init() {}

    /// Where the session is kept that is meant by the word `last`.
    package static var last: String { stateFolder + "/last" }

    /// Where the program keeps its state, `$XDG_STATE_HOME/proscenium`.
    package static var stateFolder: String {
        let environment = ProcessInfo.processInfo.environment
        let base = environment["XDG_STATE_HOME"].flatMap { $0.isEmpty ? nil : $0 }
        return (base ?? (environment["HOME"] ?? "/tmp") + "/.local/state") + "/proscenium"
    }

    /// The folder that is meant by what was said.
    package static func folder(_ said: String) -> String { said == "last" ? last : said }

    /// Options of all that the stage is built of, as it was in the end; the files among it are the options' own.
    package var choices: [String: JSONValue] {
        state.filter { Parameter.named($0.key)?.rebuildsStage == true }.mapValues { value in
            .text(value.written.joined(separator: ","))
        }
    }

    /// What a folder holds; nil where there is no `session.json` in it yet.
    ///
    /// - Throws: `SessionError`: it cannot be read, or a newer version wrote it.
    package init?(folder: String) throws(SessionError) {
        let path = folder + "/" + Self.fileName
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let value: JSONValue
        do throws(JSONFile.Refusal) { value = try JSONFile.value(at: path, within: .session) } catch {
            if case .unreadable(let reason) = error {
                throw SessionError(.environment, "\(path) cannot be read: \(reason)")
            }
            throw SessionError(.input, "\(path) is not a JSON object as a session's: \(error.reason)")
        }
        guard case .object(let object) = value else { throw SessionError(.input, "\(path) is not a JSON object") }
        try self.init(object, at: path)
    }

    /// Writes it into a folder, in one step: whatever is cut off, the old or the new file is there, whole.
    package func write(to folder: String) throws(SessionError) {
        let path = folder + "/" + Self.fileName
        let draft = folder + "/." + Self.fileName + ".partial"
        let bytes = Array((json.page + "\n").utf8)
        // A folder from elsewhere may have a link there, which is not written through.
        unlink(draft)
        let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard file >= 0 else { throw Self.failure(path) }
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { break }
            written += max(0, count)
        }
        let isWhole = written == bytes.count && fsync(file) == 0
        let reason = isWhole ? nil : Self.failure(path)
        close(file)
        if let reason {
            unlink(draft)
            throw reason
        }
        guard rename(draft, path) == 0 else { throw Self.failure(path) }
        let parent = open(folder, O_RDONLY | O_CLOEXEC)
        if parent >= 0 {
            fsync(parent)
            close(parent)
        }
    }

    private static func failure(_ path: String) -> SessionError {
        SessionError(.environment, "\(path) cannot be written: \(String(cString: strerror(errno)))")
    }
}
