import AudioIO
import Desk
import Foundation
import Gate
import Glibc
import Loading
import Racks
import Stages

/// The state of a session as one value: the options from which it is built (layout, set, room, inputs, headphones,
/// trackers, surfaces), every value by its address, the chains, the connections, the scenes, and the files in use.
///
/// `LiveSession.snapshot(keeping:)` returns the parts that change while a session plays; `take(_:unbuilt:_:)` enters
/// them into the document of a folder, which has the options and the files. A step of undo is the difference of two
/// such states. The hand-over to the next session is such a difference too (`SessionDifference`).
///
/// `session.json` in a session's folder is the document's JSON form (`Codable`). The file is of version 2. In version 1
/// the options were keys of the outermost object. Entries that this version of the program does not understand are
/// kept in place, and named in `remarks`.
package struct SessionDocument: Sendable, Equatable {
    /// Version that is written, and the step within the version. A program with an older step keeps the entries of a
    /// newer one.
    package static let version = 2, step = 1
    /// The file's name in its folder.
    package static let fileName = "session.json"
    /// Returns the name of the folder with a scene's chains and plugin states, within the session's folder.
    package static func plugins(of scene: String) -> String {
        scene == SceneFacts.names[0] ? "plugins" : "plugins-" + scene
    }
    /// Name of the folder of links to the files in use.
    package static let files = "files"

    /// Options of the command line, without their dashes, except the choices of the stage. The value is a list for
    /// options that may be repeated.
    package var options: [String: JSONValue] = [:]
    /// Values by address, among them the choices of the heard stage and the modes before the comparison in progress.
    /// In the file the choices are options; one that is missing has its default.
    package var state: SessionValues = [:]
    /// The chains of the heard scene, with the plugins' states; nil if they are not known. They are no part of
    /// `session.json`: plugins write their states as files of their own, in a folder for each scene.
    package var chains: PluginRack.Memory?
    /// Name of the JACK client, and its connections.
    package var client = "", links: [JACKLink] = []
    /// Name of the heard scene, and the choices of the others by scene and parameter. In the state of a session during
    /// a blind comparison the name is empty, and the choices are left out.
    package var scene = SceneFacts.names[0], scenes: [String: SessionValues] = [:]
    /// Files in use, by the option that names them, by `input:NAME` or `effect:NAME`, or, for an unheard scene, by
    /// `SCENE/PARAMETER`.
    package var used: [String: UsedFile] = [:]
    /// Stored data of the trackers used, by their identifiers.
    package var trackers: [String: JSONValue] = [:]
    /// Whether the file contains options only, because it was written by hand. Such a file is read, but never written.
    package internal(set) var isTemplate = false
    /// Step of the version that wrote the file; 0 before steps existed.
    package internal(set) var step = Self.step
    /// Entries that this version does not understand, a sentence each.
    package internal(set) var remarks: [String] = []
    /// Entries that this version does not understand: of the file; of its sections, by section and key; and of the
    /// connections.
    package var others: [String: JSONValue] = [:], unread: [String: [String: JSONValue]] = [:],
        unreadLinks: [JSONValue] = []

    /// A file in use, with its path and the hash of its content at the last save.
    package struct UsedFile: Sendable, Equatable {
        /// Path at the last save.
        package var path: String
        /// SHA-256 of its content, in hexadecimal digits.
        package var hash: String
        /// Name of the link in the session's folder.
        package var link: String
        /// Word that named the file.
        package var named: String
        /// SHA-256 of the sound files that an equaliser's text names, by their names in the text.
        package var parts: [String: String] = [:]
        /// Entries that this version does not understand.
        package var others: [String: JSONValue] = [:]

        /// Describes a file by its path, the hash of its content, its link's name and the word that names it.
        package init(path: String, hash: String, link: String, named: String) {
            (self.path, self.hash, self.link, self.named) = (path, hash, link, named)
        }
    }

    /// Creates a document without options, values and files, whose heard scene is the first.
    package init() {}

    /// Folder for the word `last`.
    package static var last: String { stateFolder + "/last" }

    /// Folder of the program's state, `$XDG_STATE_HOME/proscenium`.
    package static var stateFolder: String {
        let environment = ProcessInfo.processInfo.environment
        let base = BaseFolder.state.named(in: environment) ?? (environment["HOME"] ?? "/tmp") + "/.local/state"
        return base + "/proscenium"
    }

    /// Returns the folder for a word of the command line: `last`, or a path.
    package static func folder(_ said: String) -> String { said == "last" ? last : said }

    /// Reads a folder; nil if it has no `session.json`.
    ///
    /// - Throws: `SessionError` if the file cannot be read, or a newer version wrote it.
    package init?(folder: String) throws(SessionError) {
        let path = folder + "/" + Self.fileName
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let value: JSONValue
        do throws(JSONFile.Refusal) { value = try JSONFile.value(at: path, within: .session) } catch {
            if case .unreadable(let reason) = error {
                throw SessionError(.environment, "\(path) cannot be read: \(reason)")
            }
            throw SessionError(.input, "\(path) is not a valid session file: \(error.reason)")
        }
        do { self = try value.decoded(as: Self.self) } catch Fault.newer(let version) {
            throw SessionError(
                .input,
                "\(path) was written by a newer version (\(JSONValue.number(version).line)); this one reads up to \(Self.version)"
            )
        } catch Fault.section(let name) {
            throw SessionError(.input, "\(path): '\(name)' is invalid")
        } catch {
            throw SessionError(.input, "\(path) is not a JSON object")
        }
        remarks = remarks.map { "\(path): \($0)" }
    }

    /// Returns the difference that turns `former` into this state: in the values, and in the chains if both are known.
    package func difference(from former: SessionDocument) -> SessionDifference {
        var difference = state.difference(from: former.state)
        if let before = former.chains, let after = chains { difference.chains = .init(before: before, after: after) }
        return difference
    }

    /// Writes the file atomically into a folder: after an interruption either the old or the new file is complete.
    package func write(to folder: String) throws(SessionError) {
        let path = folder + "/" + Self.fileName
        let draft = folder + "/." + Self.fileName + ".partial"
        let bytes = Array((json.page + "\n").utf8)
        // A folder from another user may contain a link of this name, which must not be followed.
        unlink(draft)
        let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard file >= 0 else { throw Self.failure(path) }
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            guard count > 0 || count < 0 && errno == EINTR else { break }
            written += max(0, count)
        }
        let isWhole = written == bytes.count && fsync(file) == 0
        let reason = isWhole ? nil : Self.failure(path)
        close(file)
        if let reason {
            unlink(draft)
            throw reason
        }
        guard rename(draft, path) == 0 else {
            let reason = Self.failure(path)
            unlink(draft)
            throw reason
        }
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
