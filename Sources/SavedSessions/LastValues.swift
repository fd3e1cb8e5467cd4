import Desk
import Foundation
import Gate
import Loading
import Stages

/// Values set in a session without a folder, for the next session of the same name.
///
/// Each value is stored with the value with which the session began. If the next session begins with a different value,
/// an option or the config file has changed, and takes precedence.
package struct LastValues: Sendable, Equatable {
    /// Changes of the values.
    package var difference = SessionDifference()
    /// Changes of the values, by address.
    package var changes: [String: SessionDifference.Change] {
        get { difference.changes }
        set { difference.changes = newValue }
    }

    private static let version = 1.0

    /// Holds no values.
    package init() {}

    /// Holds changes of values.
    package init(_ difference: SessionDifference) { self.difference = difference }

    /// Folder of these files, `$XDG_STATE_HOME/proscenium/last/values`.
    package static var folder: String { SessionDocument.last + "/values" }

    /// Returns the path of a client's file in a folder.
    package static func path(of client: String, in folder: String) -> String {
        let plain = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
        return folder + "/" + (client.addingPercentEncoding(withAllowedCharacters: plain) ?? "client") + ".json"
    }

    /// Reads a file. Without a file there are no values.
    ///
    /// - Throws: `SessionError` if the file cannot be read or is invalid.
    package init(path: String) throws(SessionError) {
        guard FileManager.default.fileExists(atPath: path) else { return }
        guard let json = try? JSONFile.value(at: path, within: .session),
            json["version"]?.number == Self.version,
            case .object(let values)? = json["values"]
        else { throw SessionError(.input, "\(path) is not as this version writes it") }
        for (address, value) in values {
            guard let now = value["now"]?.parameterValue else {
                throw SessionError(.input, "\(path): '\(address)' is invalid")
            }
            let begun = value["begun"]?.parameterValue ?? Self.usual(address)
            if begun != now { changes[address] = .init(before: begun, after: now) }
        }
        guard case .object(let modes)? = json["modes"] else { return }
        for (name, mode) in modes.compactMapValues(\.text) {
            changes[StateAddress.modeBefore(name).text] = .init(before: nil, after: .word(mode))
        }
    }

    /// Returns the default at an address; nil without one. Earlier versions wrote no first value where an address
    /// appeared in the course of the session, as those of the loudspeakers of another layout.
    private static func usual(_ address: String) -> ParameterValue? {
        guard let parameter = StateAddress(address).parameter, let word = parameter.standard else { return nil }
        return try? parameter.value(of: [word])
    }

    /// Writes a file atomically: an interruption leaves the old or the new one complete.
    package func write(to path: String) throws(SessionError) {
        let values = difference.told.changes.mapValues { change -> JSONValue in
            .object(["now": change.after, "begun": change.before].compactMapValues { $0.map { JSONValue($0) } })
        }
        var object = ["version": JSONValue.number(Self.version), "values": .object(values)]
        let modes = changes.compactMapValues(\.after).modesBefore
        if !modes.isEmpty { object["modes"] = .object(modes) }
        let json = JSONValue.object(object)
        do {
            let folder = (path as NSString).deletingLastPathComponent
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data((json.page + "\n").utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw SessionError(.environment, "\(path) cannot be written: \(error.localizedDescription)")
        }
    }

    /// Returns whether the value at an address is kept. Values of plugins and choices of the stage are not: for the
    /// stage, options and the config file apply.
    package static func isKept(_ address: String) -> Bool {
        let place = StateAddress(address)
        return place.plugin == nil && place.isKept && place.parameter?.takesAWhile != true
    }
}

/// Whether and how a session takes over the values of the last session of its name.
package struct LastValuesRequest: Sendable {
    /// Folder of the files.
    package var folder: String
    /// Whether the session starts without the last values.
    package var isFresh: Bool
    /// Addresses that options of the new session set. They take precedence.
    package var typed: TypedAddresses

    /// Sets all fields.
    package init(folder: String, isFresh: Bool, typed: TypedAddresses) {
        (self.folder, self.isFresh, self.typed) = (folder, isFresh, typed)
    }
}
