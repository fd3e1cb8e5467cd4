import Rendering
import Soundstage

/// What a session's folder says of its values, which are in force before the first sound.
package struct FormerValues: Sendable {
    /// By address.
    var values: [String: ParameterValue]
    /// How each input met the listener before a comparison, a word by name.
    var modes: [String: String]
}

extension SavedSession {
    /// What of the state counts: all that is not said now. `said`: addresses.
    package func former(but said: Set<String>) -> FormerValues {
        let wanted = state.filter { address, _ in
            // What the plugins' own states hold they have already.
            StateAddress.isSettable(address) && !address.hasPrefix("plugin/") && !said.contains(address)
        }
        return FormerValues(values: wanted, modes: modes)
    }

    /// Addresses of what is said by options, by their names: they hold, whatever was set before.
    package static func said(by options: [String: JSONValue]) -> Set<String> {
        var said: Set<String> = []
        for (option, value) in options {
            if let parameter = Parameter.named(option) {
                said.insert(parameter.isOfInputs ? "input/main/" + parameter.id : parameter.id)
            }
            guard option == "input" || option == "effect", case .list(let all) = value else { continue }
            for written in all.compactMap(\.text) {
                let keys = written.split(separator: ",").map { $0.prefix { $0 != "=" } }
                for key in keys.dropFirst() {
                    guard let parameter = Parameter.named(String(key)) else { continue }
                    said.insert("input/\(keys[0])/\(parameter.id)")
                }
            }
        }
        return said
    }
}

extension LiveSession {
    /// Before a stage plays for the first time: has in force what a session's folder says. What takes a stage that plays waits.
    func takeUpFormer() {
        guard let former = settings.former else { return }
        var left = former.values.sorted { $0.key < $1.key }
        Self.$isTakingUp.withValue(true) {
            // What depends on another of them can be set after it.
            for _ in 0..<2 {
                left.removeAll { address, value in
                    valuesInForce()[address] == value || putAtFirst(value, at: address) == nil
                }
            }
        }
        takeUp(modes: former.modes)
        unopened = Dictionary(uniqueKeysWithValues: left)
    }

    /// Has in force what of a session's folder is not yet; returns what is refused, and why.
    func takeUpRest(of former: FormerValues) async -> [(address: String, refusal: String)] {
        if settings.former != nil {
            defer { unopened = [:] }
            return await put(unopened.mapValues { $0 })
        }
        let refusals = await put(former.values.mapValues { $0 })
        takeUp(modes: former.modes)
        return refusals
    }

    /// Remembers how the inputs were before a comparison that is under way.
    func takeUp(modes: [String: String]) {
        guard monitoring.comparison != nil else { return }
        for input in stage.assembly.renderer.inputs {
            let name = input.programme.name
            if let mode = modes[name].flatMap({ StageMode(word: $0) }) { monitoring.modes[name] = mode }
        }
    }

    /// How the inputs were before a comparison, a word by name; nothing where none is under way.
    var modesBefore: [String: String] { monitoring.comparison == nil ? [:] : monitoring.modes.mapValues(\.word) }
}
