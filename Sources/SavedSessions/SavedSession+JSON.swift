import AudioIO
import Desk
import Gate
import Loading
import Stages

/// Reading and writing of a saved session.
extension SavedSession {
    /// Sections of the file, besides its version.
    private static let sections: Set = [
        "options", "state", "client", "scene", "scenes", "connections", "files", "modes", "trackers",
    ]

    /// Reads the object of a file.
    ///
    /// - Throws: `SessionError` if a newer version wrote the file, or a section has the wrong type.
    package init(_ object: [String: JSONValue], at path: String) throws(SessionError) {
        self.init()
        guard let version = object["version"]?.number else {
            take(options: object)
            isTemplate = true
            return
        }
        guard (1...Double(Self.version)).contains(version) else {
            throw SessionError(
                .input,
                "\(path) was written by a newer version (\(JSONValue.number(version).line)); this one reads up to \(Self.version)"
            )
        }
        var object = object
        object["version"] = nil
        step = object.removeValue(forKey: "step")?.number.flatMap { Int(exactly: $0) } ?? 0
        if version < 2, object["options"] == nil {
            object = ["options": .object(object.filter { !Self.sections.contains($0.key) })].merging(
                object.filter { Self.sections.contains($0.key) }
            ) { first, _ in first }
        }
        for (key, value) in object.sorted(by: { $0.key < $1.key }) { try read(key, value, at: path) }
    }

    private mutating func read(_ key: String, _ value: JSONValue, at path: String) throws(SessionError) {
        switch (key, value) {
        case ("options", .object(let all)): take(options: all)
        case ("state", .object(let all)):
            for (address, value) in all {
                guard let read = value.parameterValue, StateAddress(address).isTold else {
                    keep(value, at: address, in: key, path)
                    continue
                }
                if let choice = Parameter.choice(at: address) {
                    // The first versions wrote choices here, too. An option of the same name comes first.
                    if recipe[choice.option] == nil { state[choice.id] = read }
                    continue
                }
                state[address] = read
                if case let place = StateAddress(address), place.plugin == nil, place.parameter == nil {
                    remark(key, address, path)
                }
            }
        case ("client", .text(let name)): client = name
        case ("scene", .text(let name)) where SceneFacts.names.contains(name): scene = name
        case ("scenes", .object(let all)):
            for (name, values) in all { readScene(name, values, path) }
        case ("connections", .list(let list)):
            for link in list {
                if case .list(let ends) = link, ends.count == 2, let from = ends[0].text, let to = ends[1].text {
                    links.append(JACKLink(from: from, to: to))
                } else {
                    unreadLinks.append(link)
                    remark(key, link.line, path)
                }
            }
        case ("files", .object(let all)):
            for (option, file) in all {
                if let read = UsedFile(file) { used[option] = read } else { keep(file, at: option, in: key, path) }
            }
        case ("modes", .object(let all)):
            for (name, mode) in all {
                let address = StateAddress.modeBefore(name).text
                if let word = mode.text, !StateAddress(address).isTold {
                    state[address] = .word(word)
                } else {
                    keep(mode, at: name, in: key, path)
                }
            }
        case ("trackers", .object(let all)): trackers = all
        case _ where Self.sections.contains(key) && key != "scene":
            throw SessionError(.input, "\(path): '\(key)' is invalid")
        default:
            others[key] = value
            if key == "scene" { remark("scene", value.line, path) }
        }
    }

    private mutating func readScene(_ name: String, _ values: JSONValue, _ path: String) {
        guard SceneFacts.names.contains(name), case .object(let values) = values else {
            return keep(values, at: name, in: "scenes", path)
        }
        scenes[name] = [:]
        for (id, value) in values {
            guard let read = value.parameterValue else {
                keep(value, at: id, in: "scenes/" + name, path)
                continue
            }
            scenes[name]?[id] = read
            if Parameter.named(id) == nil { remark("scenes/" + name, id, path) }
        }
    }

    private mutating func keep(_ value: JSONValue, at key: String, in section: String, _ path: String) {
        unread[section, default: [:]][key] = value
        remark(section, key, path)
    }

    private mutating func remark(_ section: String, _ key: String, _ path: String) {
        remarks.append("\(path): '\(section)/\(key)' is nothing that this version understands; it is kept")
    }

    /// JSON form of the session.
    package var json: JSONValue {
        var object = others
        object["version"] = .number(Double(Self.version))
        object["step"] = .number(Double(Self.step))
        object["options"] = .object(recipe)
        let values = state.filter { StateAddress($0.key).isTold && Parameter.choice(at: $0.key) == nil }
        object["state"] = section("state", values.mapValues { JSONValue($0) })
        object["client"] = .text(client)
        // An unknown scene of another version stays until a different scene is selected.
        if object["scene"] == nil || scene != SceneFacts.names[0] { object["scene"] = .text(scene) }
        let read = scenes.map { name, values in
            (name, section("scenes/" + name, values.mapValues { JSONValue($0) }))
        }
        object["scenes"] = section("scenes", Dictionary(uniqueKeysWithValues: read))
        object["connections"] = .list(links.map { .list([.text($0.from), .text($0.to)]) } + unreadLinks)
        object["files"] = section("files", used.mapValues(\.json))
        let modes = state.modesBefore
        if !modes.isEmpty || unread["modes"] != nil { object["modes"] = section("modes", modes) }
        if !trackers.isEmpty { object["trackers"] = .object(trackers) }
        return .object(object)
    }

    /// Returns a section, including the entries that this version does not understand.
    private func section(_ name: String, _ values: [String: JSONValue]) -> JSONValue {
        .object((unread[name] ?? [:]).merging(values) { $1 })
    }
}

extension SavedSession.UsedFile {
    /// Reads an entry of the file; nil if it is invalid.
    package init?(_ json: JSONValue) {
        guard case .object(let object) = json, let path = json["path"]?.text, let hash = json["sha256"]?.text,
            let link = json["link"]?.text, !link.contains("/"), link != "..", link != ".", !link.isEmpty
        else { return nil }
        self.init(path: path, hash: hash, link: link, named: json["named"]?.text ?? path)
        if case .object(let parts)? = object["parts"] { self.parts = parts.compactMapValues(\.text) }
        others = object.filter { !["path", "sha256", "link", "named", "parts"].contains($0.key) }
    }

    /// JSON form of the entry.
    package var json: JSONValue {
        var said = ["path": JSONValue.text(path), "sha256": .text(hash), "link": .text(link), "named": .text(named)]
        if !parts.isEmpty { said["parts"] = .object(parts.mapValues { .text($0) }) }
        return .object(others.merging(said) { $1 })
    }
}

extension SessionValues {
    /// Modes before a comparison, by input, as files contain them.
    var modesBefore: [String: JSONValue] {
        reduce(into: [:]) { modes, value in
            if case .modeBefore(let name) = StateAddress(value.key) { modes[name] = .text(value.value.word) }
        }
    }
}

extension JSONValue {
    /// Text of an option's value; nil for a list and for any other type.
    package var word: String? {
        switch self {
        case .text(let text): text
        case .truth(let isOn): isOn ? "true" : "false"
        default: numeral
        }
    }
}
