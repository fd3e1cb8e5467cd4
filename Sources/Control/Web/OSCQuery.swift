import Desk
import Gate
import Loading
import Stages

/// State in the form of OSC Query (Vidvox, OSC Query Proposal 1.0): a tree of addresses with type, range, value and
/// description, in which control surfaces find all controls.
///
/// The node of a parameter also has: its place in a panel (`SECTION`, `SUBSECTION` and `ORDER`), the names
/// of its numbers (`AXES`) and whether they are whole (`WHOLE`), the words that it accepts besides a number or text
/// (`WORDS`), whether it is better typed as text (`WRITTEN`), and whether it may have no value until one is set
/// (`UNSAID`). The node of a command has its `SECTION` too, and if the address alone performs the command, its place
/// among the buttons of the section (`PRESS`).
enum OSCQuery {
    /// Returns name, extensions and ports of the session as JSON.
    static func hostInfo(oscPort: Int?) -> String {
        var info: [String: JSONValue] = [
            "NAME": .text("Proscenium"),
            "EXTENSIONS": .object(
                [
                    "ACCESS", "AXES", "DESCRIPTION", "ORDER", "PRESS", "RANGE", "SECTION", "SUBSECTION", "TYPE", "UNIT",
                    "UNSAID", "VALUE", "WHOLE", "WORDS", "WRITTEN",
                ].reduce(into: [:]) { $0[$1] = .truth(true) }),
        ]
        if let oscPort {
            info["OSC_PORT"] = .number(Double(oscPort))
            info["OSC_TRANSPORT"] = .text("UDP")
        }
        return JSONValue.object(info).line
    }

    /// Returns the node of a path with all nodes below it; nil if there is none.
    static func node(at path: String, in state: SessionState) -> JSONValue? {
        let wanted = path.split(separator: "/").map(String.init)
        let addresses = entries(state)
        let below = addresses.filter { $0.parts.starts(with: wanted) }
        guard !below.isEmpty || wanted.isEmpty else { return nil }
        return tree(wanted, below)
    }

    /// Returns all nodes: present values, all other parameters, and commands. Each address occurs once. A value takes
    /// precedence over a command.
    private static func entries(_ state: SessionState) -> [(parts: [String], node: JSONValue)] {
        var nodes = state.values.reduce(into: [String: JSONValue]()) { $0[$1.key] = leaf($1.key, $1.value) }
        func add(_ address: String, _ node: JSONValue) { if nodes[address] == nil { nodes[address] = node } }
        for (place, parameter) in Parameter.all.enumerated() {
            add(parameter.id, setter(parameter))
            // Attributes for a panel are only at the parameter's own name.
            guard case .object(var node)? = nodes[parameter.id] else { continue }
            node["SECTION"] = .text(parameter.section.rawValue)
            if let part = parameter.subsection { node["SUBSECTION"] = .text(part.rawValue) }
            node["ORDER"] = .number(Double(place))
            if !parameter.numbers.isEmpty || parameter.text != nil, !parameter.words.isEmpty {
                node["WORDS"] = .list(parameter.words.map { .text($0) })
            }
            if parameter.prefersText { node["WRITTEN"] = .truth(true) }
            if parameter.traits.contains(.isUnsetAtFirst) { node["UNSAID"] = .truth(true) }
            nodes[parameter.id] = .object(node)
        }
        let plugins = Set(
            state.values.keys.compactMap { StateAddress($0).plugin })
        // The commands of a measurement are listed only if its state is.
        let isMeasuring = state.values.keys.contains { $0.hasPrefix("measurement/") }
        for (place, command) in Command.rows(of: .desk).enumerated()
        where isMeasuring || command.programs != .measurement {
            let words =
                command.id.hasPrefix("plugin/NAME/")
                ? plugins.map { "plugin/\($0)/" + command.id.dropFirst("plugin/NAME/".count) } : [command.id]
            for word in words { add(word, node(of: command, at: word, place: place)) }
        }
        return nodes.map { (["proscenium"] + $0.split(separator: "/").map(String.init), $1) }
    }

    private static func tree(_ path: [String], _ below: [(parts: [String], node: JSONValue)]) -> JSONValue {
        var here: [String: JSONValue] = ["FULL_PATH": .text("/" + path.joined(separator: "/")), "ACCESS": .number(0)]
        if let own = below.first(where: { $0.parts == path }), case .object(let object) = own.node { here = object }
        let deeper = Dictionary(grouping: below.filter { $0.parts.count > path.count }) { $0.parts[path.count] }
        if !deeper.isEmpty {
            here["CONTENTS"] = .object(deeper.mapValues { tree(Array($0[0].parts.prefix(path.count + 1)), $0) })
        }
        return .object(here)
    }

    private static func node(of command: Command, at word: String, place: Int) -> JSONValue {
        var node: [String: JSONValue] = [
            "FULL_PATH": .text(ControlWire.prefix + word), "ACCESS": .number(2), "TYPE": .text(command.types),
            "DESCRIPTION": .text(command.help),
        ]
        if !command.ranges.isEmpty { node["RANGE"] = .list(command.ranges.map(range)) }
        if let section = command.section { node["SECTION"] = .text(section.rawValue) }
        if command.isDeed { node["PRESS"] = .number(Double(place)) }
        return .object(node)
    }

    private static func range(_ numbers: ClosedRange<Double>) -> JSONValue {
        .object(["MIN": .number(numbers.lowerBound), "MAX": .number(numbers.upperBound)])
    }

    /// Returns the node of a parameter without a value of its own, for example of all inputs, which may differ.
    private static func setter(_ parameter: Parameter) -> JSONValue {
        let isSwitch = Set(parameter.words).subtracting(["toggle"]) == ["on", "off"] && parameter.numbers.isEmpty
        let numbers = parameter.numbers
        var node: [String: JSONValue] = [
            "FULL_PATH": .text(ControlWire.prefix + parameter.id), "ACCESS": .number(2),
            "TYPE": .text(isSwitch ? "T" : numbers.isEmpty ? "s" : String(repeating: "f", count: numbers.count)),
            "DESCRIPTION": .text(
                parameter.help
                    + (parameter.isOfInputs ? "; of all inputs" : parameter.isOfLoudspeakers ? "; of all" : "")),
        ]
        if !isSwitch { node.merge(limits(of: parameter, isOfNumbers: !numbers.isEmpty)) { $1 } }
        return .object(node)
    }

    /// Returns the range and unit of each number of a parameter, or its words.
    private static func limits(of parameter: Parameter, isOfNumbers: Bool) -> [String: JSONValue] {
        if isOfNumbers {
            var limits: [String: JSONValue] = [
                "RANGE": .list(parameter.numbers.map { range($0.range) }),
                "UNIT": .list(parameter.numbers.map { .text($0.unit) }),
            ]
            if parameter.numbers.count > 1 { limits["AXES"] = .list(parameter.numbers.map { .text($0.name) }) }
            if parameter.numbers[0].isWhole { limits["WHOLE"] = .truth(true) }
            return limits
        }
        return ["RANGE": .list([.object(["VALS": .list(parameter.words.map { .text($0) })])])]
    }

    /// Returns the purpose of a value that can be set; nil for facts.
    private static func help(at place: StateAddress) -> String? {
        switch place {
        case .record: "whether the sound of the stage is recorded"
        case .bypass: "whether the plugin is bypassed"
        case .control: "a control of the plugin"
        case .session, .input, .loudspeaker, .modeBefore, .fact: place.parameter?.help
        }
    }

    private static func leaf(_ address: String, _ value: ParameterValue) -> JSONValue {
        var node: [String: JSONValue] = ["FULL_PATH": .text(ControlWire.prefix + address)]
        let place = StateAddress(address)
        let isSwitch = [.word("on"), .word("off")].contains(value) && place.isSwitch
        switch value {
        case .numbers(let numbers):
            node["TYPE"] = .text(String(repeating: "f", count: numbers.count))
            node["VALUE"] = .list(numbers.map { .number($0) })
        case .word(let word):
            node["TYPE"] = .text(isSwitch ? "T" : "s")
            node["VALUE"] = .list([isSwitch ? .truth(word == "on") : .text(word)])
        }
        guard let help = help(at: place) else {
            node["ACCESS"] = .number(1)
            return .object(node)
        }
        node["ACCESS"] = .number(3)
        node["DESCRIPTION"] = .text(help)
        if let parameter = place.parameter {
            if case .numbers = value {
                node.merge(limits(of: parameter, isOfNumbers: true)) { $1 }
            } else if !isSwitch {
                node.merge(limits(of: parameter, isOfNumbers: false)) { $1 }
            }
        }
        return .object(node)
    }
}
