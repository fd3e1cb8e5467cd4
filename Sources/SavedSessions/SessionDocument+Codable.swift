import AudioIO
import Desk
import Gate
import Loading
import Stages

/// The JSON form of a session, `session.json`. Entries that this version of the program does not understand are kept,
/// and written in the same sections again.
extension SessionDocument: Codable {
    /// Sections of the file, besides its version and step.
    private enum Section: String, CaseIterable {
        // The order of reading: choices in the state are read only where an option of the same name is missing.
        case options, state, client, scene, scenes, connections, files, modes, trackers
    }

    /// Reason why an object is no session, without the path of its file.
    enum Fault: Error {
        /// A newer version wrote the file.
        case newer(Double)
        /// A section has the wrong type.
        case section(String)
    }

    /// Reads the object of a file.
    ///
    /// - Throws: `Fault` if a newer version wrote the file, or a section has the wrong type; `DecodingError` if it is
    ///   no object.
    package init(from decoder: any Decoder) throws {
        self.init()
        var object = try [String: JSONValue](from: decoder)
        guard let version = object["version"]?.number else {
            take(options: object)
            isTemplate = true
            return
        }
        guard (1...Double(Self.version)).contains(version) else { throw Fault.newer(version) }
        object["version"] = nil
        step = object.removeValue(forKey: "step")?.number.flatMap { Int(exactly: $0) } ?? 0
        let sections = Set(Section.allCases.map(\.rawValue))
        if version < 2, object["options"] == nil {
            // In the first version, options stood beside the sections.
            let beside = object.filter { !sections.contains($0.key) }
            object = object.filter { sections.contains($0.key) }
            object["options"] = .object(beside)
        }
        for section in Section.allCases {
            guard let value = object.removeValue(forKey: section.rawValue) else { continue }
            do { try read(section, value) } catch { throw Fault.section(section.rawValue) }
        }
        others.merge(object) { $1 }
    }

    private mutating func read(_ section: Section, _ value: JSONValue) throws {
        let name = section.rawValue
        switch section {
        case .options: take(options: try value.decoded(as: [String: JSONValue].self))
        case .state:
            let values = try known(ParameterValue.self, in: value, of: name) { StateAddress($0).isTold }
            for (address, read) in values {
                if let choice = Parameter.choice(at: address) {
                    // The first versions wrote choices of the stage here, too. An option of the same name takes
                    // precedence.
                    if recipe[choice.option] == nil { state[choice.id] = read }
                    continue
                }
                state[address] = read
                let place = StateAddress(address)
                if place.plugin == nil, place.parameter == nil { remark(name, address) }
            }
        case .client: client = try value.decoded(as: String.self)
        case .scene:
            if let heard = value.text, SceneFacts.names.contains(heard) {
                scene = heard
            } else {
                others[name] = value
                remark(name, value.line)
            }
        case .scenes:
            for (scene, values) in try value.decoded(as: [String: JSONValue].self) {
                guard SceneFacts.names.contains(scene), case .object = values else {
                    keep(values, at: scene, in: name)
                    continue
                }
                let place = name + "/" + scene
                let choices = try known(ParameterValue.self, in: values, of: place)
                scenes[scene] = choices
                for id in choices.keys where Parameter.named(id) == nil { remark(place, id) }
            }
        case .connections:
            for link in try value.decoded(as: [JSONValue].self) {
                if let ends = try? link.decoded(as: [String].self), ends.count == 2 {
                    links.append(JACKLink(from: ends[0], to: ends[1]))
                } else {
                    unreadLinks.append(link)
                    remark(name, link.line)
                }
            }
        case .files: used = try known(UsedFile.self, in: value, of: name)
        case .modes:
            let modes = try known(String.self, in: value, of: name) {
                !StateAddress(StateAddress.modeBefore($0).text).isTold
            }
            for (input, mode) in modes { state[StateAddress.modeBefore(input).text] = .word(mode) }
        case .trackers: trackers = try value.decoded(as: [String: JSONValue].self)
        }
    }

    /// Returns the entries of a section that this version understands: those with a valid key and a value of the
    /// type. Keeps the other entries in `unread`.
    private mutating func known<Entry: Decodable>(
        _ type: Entry.Type, in value: JSONValue, of section: String, where isKey: (String) -> Bool = { _ in true }
    ) throws -> [String: Entry] {
        var known: [String: Entry] = [:]
        for (key, entry) in try value.decoded(as: [String: JSONValue].self) {
            if isKey(key), let read = try? entry.decoded(as: type) {
                known[key] = read
            } else {
                keep(entry, at: key, in: section)
            }
        }
        return known
    }

    private mutating func keep(_ value: JSONValue, at key: String, in section: String) {
        unread[section, default: [:]][key] = value
        remark(section, key)
    }

    private mutating func remark(_ section: String, _ key: String) {
        remarks.append("'\(section)/\(key)' is nothing that this version understands; it is kept")
    }

    /// Writes the object of a file.
    package func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

    /// JSON form of the session.
    package var json: JSONValue {
        var object = others
        object["version"] = .number(Double(Self.version))
        object["step"] = .number(Double(Self.step))
        object["options"] = .object(recipe)
        let values = state.filter { StateAddress($0.key).isTold && Parameter.choice(at: $0.key) == nil }
        object["state"] = section(.state, values.mapValues { JSONValue($0) })
        object["client"] = .text(client)
        // An unknown scene of another version stays until a different scene is selected.
        if object["scene"] == nil || scene != SceneFacts.names[0] { object["scene"] = .text(scene) }
        let read = scenes.map { name, values in
            (name, section(.scenes, of: name, values.mapValues { JSONValue($0) }))
        }
        object["scenes"] = section(.scenes, Dictionary(uniqueKeysWithValues: read))
        object["connections"] = .list(links.map { .list([.text($0.from), .text($0.to)]) } + unreadLinks)
        object["files"] = section(.files, used.mapValues(\.json))
        let modes = state.modesBefore
        if !modes.isEmpty || unread["modes"] != nil { object["modes"] = section(.modes, modes) }
        if !trackers.isEmpty { object["trackers"] = .object(trackers) }
        return .object(object)
    }

    /// Returns a section, or a part of it, including the entries that this version does not understand.
    private func section(_ section: Section, of part: String? = nil, _ values: [String: JSONValue]) -> JSONValue {
        let name = section.rawValue + (part.map { "/" + $0 } ?? "")
        return .object((unread[name] ?? [:]).merging(values) { $1 })
    }
}

extension SessionDocument.UsedFile: Codable {
    /// Reads an entry of the file; throws `DecodingError` if it is invalid.
    package init(from decoder: any Decoder) throws {
        var object = try [String: JSONValue](from: decoder)
        guard let path = object.removeValue(forKey: "path")?.text,
            let hash = object.removeValue(forKey: "sha256")?.text,
            let link = object.removeValue(forKey: "link")?.text, !link.contains("/"), link != "..", link != ".",
            !link.isEmpty
        else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "This is no file in use."))
        }
        self.init(path: path, hash: hash, link: link, named: object.removeValue(forKey: "named")?.text ?? path)
        if case .object(let parts)? = object.removeValue(forKey: "parts") {
            self.parts = parts.compactMapValues(\.text)
        }
        others = object
    }

    /// Writes the entry.
    package func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

    /// JSON form of the entry.
    var json: JSONValue {
        var said = ["path": JSONValue.text(path), "sha256": .text(hash), "link": .text(link), "named": .text(named)]
        if !parts.isEmpty { said["parts"] = .object(parts.mapValues { .text($0) }) }
        return .object(others.merging(said) { $1 })
    }
}

extension SessionValues {
    /// Modes before a comparison, by the input's name, in the form of the file.
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
