import Desk
import Foundation
import Gate
import Glibc
import Loading
import Stages

/// Values set in a session without a folder, for the next session of the same name.
///
/// Each value is stored with the value with which the session began. If the next session begins with a different value,
/// an option or the config file has changed, and takes precedence. A file that this version cannot read is never
/// replaced: a damaged file is renamed, any other such file stays unchanged.
package struct LastValues: Sendable, Equatable {
    /// Changes of the values.
    package var difference = SessionDifference()
    /// Changes of the values, by address.
    package var changes: [String: SessionDifference.Change] {
        get { difference.changes }
        set { difference.changes = newValue }
    }

    private static let version = 1.0
    /// Keys of the file that this version does not understand. They are kept.
    private var others: [String: JSONValue] = [:]

    /// Reason why a file cannot be read.
    package enum Fault: Error, Equatable, CustomStringConvertible {
        /// The system cannot read the file.
        case unreadable(path: String, reason: String)
        /// A newer version wrote the file.
        case newer(path: String)
        /// The content is invalid.
        case damaged(path: String, reason: String)

        /// The fault, in words.
        package var description: String {
            switch self {
            case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)"
            case .newer(let path): "a newer version wrote \(path), which is left as it is"
            case .damaged(let path, let reason): "\(path) \(reason)"
            }
        }
    }

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

    /// Reads a file. If the file does not exist, there are no values.
    ///
    /// - Throws: `Fault` if the file cannot be read, is of a newer version, or is invalid.
    package init(path: String) throws(Fault) {
        guard FileManager.default.fileExists(atPath: path) else { return }
        let json: JSONValue
        do throws(JSONFile.Refusal) { json = try JSONFile.value(at: path, within: .session) } catch {
            if case .unreadable(let reason) = error { throw .unreadable(path: path, reason: reason) }
            throw .damaged(path: path, reason: "is not as this version writes it")
        }
        if let version = json["version"]?.number, version > Self.version { throw .newer(path: path) }
        guard case .object(var object) = json, object.removeValue(forKey: "version")?.number == Self.version,
            case .object(let values)? = object.removeValue(forKey: "values")
        else { throw .damaged(path: path, reason: "is not as this version writes it") }
        for (address, value) in values {
            guard let now = value["now"]?.parameterValue else {
                throw .damaged(path: path, reason: "has an invalid value at '\(address)'")
            }
            let begun = value["begun"]?.parameterValue ?? Self.usual(address)
            if begun != now { changes[address] = .init(before: begun, after: now) }
        }
        if case .object(let modes)? = object["modes"] {
            object["modes"] = nil
            for (name, mode) in modes.compactMapValues(\.text) {
                changes[StateAddress.modeBefore(name).text] = .init(before: nil, after: .word(mode))
            }
        }
        others = object
    }

    /// Renames a damaged file, so that a new one can be written. An existing file is never replaced. Returns the new
    /// path; nil if the folder cannot be written, or if a hundred renamed files exist already.
    package static func setAside(_ path: String) -> String? {
        for number in 1...100 {
            let free = path + ".damaged" + (number == 1 ? "" : "-\(number)")
            // Unlike `rename`, `link` replaces no file.
            if link(path, free) == 0 { return unlink(path) == 0 ? free : nil }
            guard errno == EEXIST else { return nil }
        }
        return nil
    }

    /// Returns the default at an address; nil without one. Earlier versions wrote no first value where an address
    /// appeared in the course of the session, as those of the loudspeakers of another layout.
    private static func usual(_ address: String) -> ParameterValue? {
        guard let parameter = StateAddress(address).parameter, let word = parameter.standard else { return nil }
        return try? parameter.value(of: [word])
    }

    /// Writes a file atomically: an interruption leaves the old or the new one complete. Keys of the present file that
    /// this version does not understand are kept.
    ///
    /// - Throws: `SessionError` if the file cannot be written, or if this version cannot read the present file, which
    ///   then stays.
    package func write(to path: String) throws(SessionError) {
        var object: [String: JSONValue]
        do throws(Fault) { object = try LastValues(path: path).others } catch {
            throw SessionError(.environment, error.description)
        }
        object["version"] = .number(Self.version)
        object["values"] = .object(
            difference.told.changes.mapValues { change -> JSONValue in
                .object(["now": change.after, "begun": change.before].compactMapValues { $0.map { JSONValue($0) } })
            })
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

    /// Removes a file, unless this version cannot read it.
    package static func remove(_ path: String) {
        if (try? LastValues(path: path)) != nil { unlink(path) }
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
