import Foundation
import Gate
import Loading

/// The file of the user's rules: JSON in the folder of the program's state. It stays when the sink is switched off.
extension StreamRules {
    private static let version = 1.0

    /// Path of the file in the folder of the program's state.
    package static func path(in folder: String) -> String { folder + "/desktop-rules.json" }

    /// Reads the file. Without a file there are no rules.
    ///
    /// - Throws: an error if the file is not a regular file, cannot be read, or has a faulty value, which the error
    ///   names.
    package init(in folder: String) throws(SessionError) {
        self.init()
        let path = Self.path(in: folder)
        func refused(_ reason: String) -> SessionError {
            SessionError(
                .input, "\(path): \(reason); correct it, or remove all rules: proscenium desktop rule --clear")
        }
        var found = stat()
        guard stat(path, &found) == 0 else {
            if errno == ENOENT { return }
            throw refused(String(cString: strerror(errno)))
        }
        // Reading a pipe would wait for its writer.
        guard found.st_mode & S_IFMT == S_IFREG else { throw refused("it is not a regular file") }
        do throws(JSONFile.Refusal) {
            self = try Self.read(JSONFile.value(at: path, within: .written))
        } catch {
            throw refused(error.reason)
        }
    }

    /// Writes the file completely or not at all. If there is no rule, removes the file.
    ///
    /// - Throws: an error if the system refuses.
    package func write(in folder: String) throws(SessionError) {
        guard !isEmpty else { return try Self.remove(in: folder) }
        let path = Self.path(in: folder)
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data((page + "\n").utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw SessionError(.environment, "\(path) cannot be written: \(error.localizedDescription)")
        }
    }

    /// Removes the file, of any kind except a folder. Has no effect if there is none.
    ///
    /// - Throws: an error if the system refuses.
    package static func remove(in folder: String) throws(SessionError) {
        let path = Self.path(in: folder)
        guard unlink(path) != 0, errno != ENOENT else { return }
        throw SessionError(.environment, "\(path) cannot be removed: \(String(cString: strerror(errno)))")
    }

    /// The rules in the form of the file.
    var value: JSONValue {
        var object: [String: JSONValue] = ["version": .number(Self.version)]
        object["default"] = usual.map { .text($0.rawValue) }
        if !roles.isEmpty {
            object["roles"] = .list(roles.map { .object(["role": .text($0.name), "way": .text($0.way.rawValue)]) })
        }
        if !applications.isEmpty { object["applications"] = .list(applications.map(\.value)) }
        return .object(object)
    }

    /// The rules as text of the file, in several lines.
    package var page: String { value.page }

    /// The rules and the default in words, one per line.
    package var lines: [String] {
        let ofApplications = applications.map { rule in
            "\(rule.name): \(rule.way.rawValue)" + (rule.input.map { " (input '\($0)')" } ?? "")
                + (rule.place.map { ", place \(Self.text($0))°" } ?? "")
                + (rule.level.map { ", level \(Self.text($0)) dB" } ?? "")
        }
        let ofRoles = roles.map { "role \($0.name): \($0.way.rawValue)" }
        return ofApplications + ofRoles + ["default: \(usual?.rawValue ?? "that of the sink")"]
    }

    /// Reads the rules from the value of a file; see `StreamRules` for the ranges.
    static func read(_ value: JSONValue) throws(JSONFile.Refusal) -> StreamRules {
        let fields = try JSONFields(value, known: ["version", "default", "roles", "applications"])
        guard fields["version"]?.number == version else { throw fields.fault("version", "must be 1") }
        var rules = StreamRules()
        let usual = try fields.word("default", of: common.map(\.rawValue))
        do throws(SessionError) { try rules.set(usual: usual.flatMap { StreamWay(rawValue: $0) }) } catch {
            throw fields.fault("default", error.description)
        }
        for (index, entry) in try list("roles", of: fields).enumerated() {
            let role = try JSONFields(entry, at: "roles[\(index)]", known: ["role", "way"])
            let rule = Role(name: try name("role", of: role), way: try way(of: role, among: common))
            guard rules.add(rule) else { throw role.fault("role", "has a rule already") }
        }
        for (index, entry) in try list("applications", of: fields).enumerated() {
            let known = ["application", "way", "input", "place", "level"]
            let application = try JSONFields(entry, at: "applications[\(index)]", known: known)
            let rule = try self.application(application)
            if let input = rule.input {
                let own = rules.applications.compactMap(\.input)
                guard !own.contains(input) else { throw application.fault("input", "belongs to another application") }
                guard own.count < mostOwn else {
                    throw application.fault("way", "own is possible for at most \(mostOwn) applications")
                }
            }
            guard rules.add(rule) else { throw application.fault("application", "has a rule already") }
        }
        return rules
    }

    /// Reads the rule for one application.
    private static func application(_ fields: JSONFields) throws(JSONFile.Refusal) -> Application {
        var rule = Application(
            name: try name("application", of: fields), way: try way(of: fields, among: StreamWay.allCases))
        guard rule.way == .own else {
            if let key = ["input", "level", "place"].first(where: { fields[$0] != nil }) {
                throw fields.fault(key, "is only possible with the way own")
            }
            return rule
        }
        let input = try fields.text("input", longest: 16)
        guard isOwnInput(input) else {
            let others = reserved.sorted().joined(separator: ", ")
            throw fields.fault("input", "must be a name of at most 16 letters and digits, and none of \(others)")
        }
        rule.input = input
        rule.place = try fields.number("place", in: places, unit: "degrees")
        rule.level = try fields.number("level", in: levels, unit: "dB")
        return rule
    }

    /// Reads a list that may be missing.
    private static func list(_ key: String, of fields: JSONFields) throws(JSONFile.Refusal) -> [JSONValue] {
        guard fields[key] != nil else { return [] }
        return try fields.list(key, count: 0...most)
    }

    private static func name(_ key: String, of fields: JSONFields) throws(JSONFile.Refusal) -> String {
        let name = try fields.text(key, longest: longestName)
        guard isName(name) else { throw fields.fault(key, "must be a name in one line") }
        return name
    }

    private static func way(of fields: JSONFields, among ways: [StreamWay]) throws(JSONFile.Refusal) -> StreamWay {
        let word = try fields.word("way", of: ways.map(\.rawValue))
        guard let way = word.flatMap({ StreamWay(rawValue: $0) }) else { throw fields.fault("way", "is missing") }
        return way
    }
}

extension StreamRules.Application {
    /// The rule in the form of the file.
    fileprivate var value: JSONValue {
        var object: [String: JSONValue] = ["application": .text(name), "way": .text(way.rawValue)]
        object["input"] = input.map { .text($0) }
        object["place"] = place.map { .number($0) }
        object["level"] = level.map { .number($0) }
        return .object(object)
    }
}

/// The file of the rules, which a playing session reads again after each change.
package struct RulesFile: Sendable {
    private let folder: String
    /// Identity of the file at the last look; nil before the first look.
    private var seen: Mark?

    /// Properties that distinguish states of the file; all 0 without a file.
    private struct Mark: Equatable, Sendable {
        var device: UInt = 0, node: UInt = 0, size = 0, seconds = 0, nanoseconds = 0
    }

    /// Watches the file in a folder.
    package init(in folder: String) { self.folder = folder }

    /// Returns the rules if the file has changed since the last call, or the reason why it cannot be used; nil if it
    /// has not changed. The first call returns a result. Takes some microseconds without a change.
    package mutating func news() -> Result<StreamRules, SessionError>? {
        var (found, mark) = (stat(), Mark())
        if stat(StreamRules.path(in: folder), &found) == 0 {
            mark = Mark(
                device: UInt(found.st_dev), node: UInt(found.st_ino), size: Int(found.st_size),
                seconds: Int(found.st_mtim.tv_sec), nanoseconds: Int(found.st_mtim.tv_nsec))
        }
        guard mark != seen else { return nil }
        seen = mark
        do throws(SessionError) { return .success(try StreamRules(in: folder)) } catch { return .failure(error) }
    }
}
