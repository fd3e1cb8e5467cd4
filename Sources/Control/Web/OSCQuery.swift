import Session

/// The state as OSC Query tells of it (Vidvox, OSC Query Proposal 1.0): a tree of addresses with type, range, value and
/// what they are for, so that control surfaces find all there is to control.
enum OSCQuery {
    /// What the session is and where it listens, as JSON.
    static func hostInfo(oscPort: Int?) -> String {
        var info: [String: JSONValue] = [
            "NAME": .text("Proscenium"),
            "EXTENSIONS": .object(
                ["ACCESS", "DESCRIPTION", "RANGE", "TYPE", "UNIT", "VALUE"].reduce(into: [:]) { $0[$1] = .truth(true) }),
        ]
        if let oscPort {
            info["OSC_PORT"] = .number(Double(oscPort))
            info["OSC_TRANSPORT"] = .text("UDP")
        }
        return JSONValue.object(info).line
    }

    /// The node of a path and all below it; nil where there is none.
    static func node(at path: String, in state: SessionState) -> JSONValue? {
        let wanted = path.split(separator: "/").map(String.init)
        var addresses: [(parts: [String], node: JSONValue)] = state.values.map { address, value in
            (["proscenium"] + address.split(separator: "/").map(String.init), leaf(address, value))
        }
        for (word, help) in commands {
            addresses.append((["proscenium"] + word.split(separator: "/").map(String.init), command(word, help)))
        }
        let below = addresses.filter { $0.parts.starts(with: wanted) }
        guard !below.isEmpty || wanted.isEmpty else { return nil }
        return tree(wanted, below)
    }

    /// Commands without a value, and what they do.
    private static let commands = [
        ("recentre", "makes where the head points now the front"), ("undo", "undoes the newest change"),
        ("redo", "does again what was undone"), ("resume", "goes on after the ears' ports were gone"),
        ("record/start", "begins a take of what the stage plays"), ("record/stop", "completes it"),
        ("record/marker", "sets a marker at what is heard now"),
    ]

    private static func tree(_ path: [String], _ below: [(parts: [String], node: JSONValue)]) -> JSONValue {
        var here: [String: JSONValue] = ["FULL_PATH": .text("/" + path.joined(separator: "/")), "ACCESS": .number(0)]
        if let own = below.first(where: { $0.parts == path }), case .object(let object) = own.node { here = object }
        let deeper = Dictionary(grouping: below.filter { $0.parts.count > path.count }) { $0.parts[path.count] }
        if !deeper.isEmpty {
            here["CONTENTS"] = .object(deeper.mapValues { tree(Array($0[0].parts.prefix(path.count + 1)), $0) })
        }
        return .object(here)
    }

    private static func command(_ word: String, _ help: String) -> JSONValue {
        .object([
            "FULL_PATH": .text(ControlWire.prefix + word), "ACCESS": .number(2), "TYPE": .text("N"),
            "DESCRIPTION": .text(help),
        ])
    }

    private static func leaf(_ address: String, _ value: ParameterValue) -> JSONValue {
        var node: [String: JSONValue] = ["FULL_PATH": .text(ControlWire.prefix + address)]
        let isSwitch = [.word("on"), .word("off")].contains(value) && StateAddress.isSwitch(address)
        switch value {
        case .numbers(let numbers):
            node["TYPE"] = .text(String(repeating: "f", count: numbers.count))
            node["VALUE"] = .list(numbers.map { .number($0) })
        case .word(let word):
            node["TYPE"] = .text(isSwitch ? "T" : "s")
            node["VALUE"] = .list([isSwitch ? .truth(word == "on") : .text(word)])
        }
        if address == StateAddress.record {
            node["ACCESS"] = .number(3)
            node["DESCRIPTION"] = .text("whether what the stage plays is recorded")
            return .object(node)
        }
        let name = address.split(separator: "/").last.map(String.init) ?? ""
        let isOfLoudspeaker = address.hasPrefix("loudspeaker/")
        guard let parameter = isOfLoudspeaker ? Parameter.ofLoudspeaker(name) : Parameter.named(name),
            StateAddress.isKept(address), !address.hasPrefix("plugin/")
        else {
            node["ACCESS"] = .number(address.hasPrefix("plugin/") ? 3 : 1)
            return .object(node)
        }
        node["ACCESS"] = .number(3)
        node["DESCRIPTION"] = .text(parameter.help)
        if case .numbers = value {
            node["RANGE"] = .list(
                parameter.numbers.map {
                    .object(["MIN": .number($0.range.lowerBound), "MAX": .number($0.range.upperBound)])
                })
            node["UNIT"] = .list(parameter.numbers.map { .text($0.unit) })
        } else if !isSwitch {
            node["RANGE"] = .list([.object(["VALS": .list(parameter.words.map { .text($0) })])])
        }
        return .object(node)
    }
}
