import Desk
import Foundation
import Gate
import Loading
import Stages

/// What was set while a session played that is kept in no folder of its own,
/// so that the next of its name goes on with it.
///
/// Beside each value stands the value before it was set. Where that is another the next time, an option or the
/// config file says something else now, and that holds.
package struct LastValues: Sendable, Equatable {
    /// What was set.
    package var difference = SessionDifference()
    /// The same by address.
    package var changes: [String: SessionDifference.Change] {
        get { difference.changes }
        set { difference.changes = newValue }
    }
    /// How each input met the listener before a comparison that was under way, a word by name.
    package var modes: [String: String] = [:]

    private static let version = 1.0

    /// Nothing.
    package init() {}

    /// What was set, and how the inputs were before a comparison.
    package init(difference: SessionDifference, modes: [String: String]) {
        (self.difference, self.modes) = (difference, modes)
    }

    /// The folder that holds them, `$XDG_STATE_HOME/proscenium/last/values`.
    package static var folder: String { SavedSession.last + "/values" }

    /// The file of a client's values in a folder.
    package static func path(of client: String, in folder: String) -> String {
        let plain = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
        return folder + "/" + (client.addingPercentEncoding(withAllowedCharacters: plain) ?? "client") + ".json"
    }

    /// Reads a file; nothing where there is none.
    ///
    /// - Throws: `SessionError`: it cannot be read, or is not as it should be.
    package init(path: String) throws(SessionError) {
        guard FileManager.default.fileExists(atPath: path) else { return }
        guard let json = try? JSONFile.value(at: path, within: .session),
            json["version"]?.number == Self.version,
            case .object(let values)? = json["values"]
        else { throw SessionError(.input, "\(path) is not as this version writes it") }
        for (address, value) in values {
            guard let now = value["now"]?.parameterValue else {
                throw SessionError(.input, "\(path): '\(address)' is not as it should be")
            }
            changes[address] = .init(before: value["begun"]?.parameterValue, after: now)
        }
        if case .object(let all)? = json["modes"] { modes = all.compactMapValues(\.text) }
    }

    /// Writes a file in one step: whatever is cut off, the old or the new one is there, whole.
    package func write(to path: String) throws(SessionError) {
        let values = changes.mapValues { change -> JSONValue in
            .object(["now": change.after, "begun": change.before].compactMapValues { $0.map { JSONValue($0) } })
        }
        var object = ["version": JSONValue.number(Self.version), "values": .object(values)]
        if !modes.isEmpty { object["modes"] = .object(modes.mapValues { .text($0) }) }
        let json = JSONValue.object(object)
        do {
            let folder = (path as NSString).deletingLastPathComponent
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data((json.page + "\n").utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw SessionError(.environment, "\(path) cannot be written: \(error.localizedDescription)")
        }
    }

    /// Whether a value is of this kind: no plugin's, and nothing that the stage is built of, which options and the
    /// config file say.
    package static func isKept(_ address: String) -> Bool {
        !address.hasPrefix("plugin/") && StateAddress.isSettable(address)
            && Parameter.named(address)?.takesAWhile != true
    }
}

/// Whether and how a session goes on with what was set when the last of its name played.
package struct LastValuesRequest: Sendable {
    /// Where such values are kept.
    package var folder: String
    /// Whether it begins without them.
    package var isFresh: Bool
    /// Addresses that were said now, by options: they hold.
    package var said: Set<String>

    /// A request.
    package init(folder: String, isFresh: Bool, said: Set<String>) {
        (self.folder, self.isFresh, self.said) = (folder, isFresh, said)
    }
}
