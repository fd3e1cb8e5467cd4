import Desk
import Gate
import Soundstage
import Stages

/// Choices of the stage.
extension SavedSession {
    /// Values in force that replace saved ones, because a file is missing or elsewhere on this machine. Keys are
    /// options, or `SCENE/PARAMETER` for a scene that is not heard. While a replacement is in force, the saved value is
    /// kept.
    package struct Standing: Sendable, Equatable {
        /// Values in force, by option or by scene and parameter.
        package var words: [String: String] = [:]

        /// Holds no values.
        package init() {}

        /// Returns whether `word` is still the replacement of a saved value. Otherwise removes the replacement.
        package mutating func holds(_ key: String, _ word: String) -> Bool {
            if words[key] == word { return true }
            words[key] = nil
            return false
        }
    }

    /// Returns the values in force that differ from the options.
    package func standing(for values: [String: ParameterValue]) -> Standing {
        var standing = Standing()
        for parameter in Parameter.all where parameter.rebuildsStage {
            let option = parameter.option
            guard let said = options[option], let value = values[parameter.id] else { continue }
            let word = value.written.joined(separator: ",")
            if said.word != word { standing.words[option] = word }
        }
        return standing
    }

    /// Returns the values of unheard scenes that differ from the saved ones.
    package func standing(forScenes values: [String: [String: ParameterValue]]) -> Standing {
        var standing = Standing()
        for (name, values) in values {
            for (id, value) in values where scenes[name]?[id] != value {
                guard scenes[name]?[id] != nil || unread["scenes/" + name]?[id] != nil else { continue }
                standing.words["\(name)/\(id)"] = value.written.joined(separator: ",")
            }
        }
        return standing
    }

    /// Changes the heard scene. Replacements, and the saved values and files that they replace, move with their scenes.
    package mutating func turn(to next: String, _ standing: inout Standing) {
        guard next != scene else { return }
        for parameter in Parameter.all where parameter.rebuildsStage {
            let option = parameter.option
            let (left, come) = ("\(scene)/\(parameter.id)", "\(next)/\(parameter.id)")
            if let word = standing.words.removeValue(forKey: option) {
                standing.words[left] = word
                scenes[scene, default: [:]][parameter.id] = options[option]?.parameterValue
                used[left] = used[option]
            }
            (options[option], used[option]) = (nil, nil)
            if let word = standing.words.removeValue(forKey: come) {
                standing.words[option] = word
                options[option] = scenes[next]?[parameter.id].map { .text($0.written.joined(separator: ",")) }
                used[option] = used[come]
            }
        }
        scene = next
        others["scene"] = nil
    }

    /// Takes over the unheard scenes. Keeps saved values that are replaced on this machine, the scenes of `unbuilt`,
    /// and parameters unknown to this version.
    package mutating func take(
        scenes now: [String: [String: ParameterValue]], unbuilt: Set<String>, _ standing: inout Standing
    ) {
        let before = scenes
        scenes = before.filter { unbuilt.contains($0.key) }.merging(now) { $1 }
        for (name, values) in now {
            for (id, value) in values {
                if standing.holds("\(name)/\(id)", value.written.joined(separator: ",")) {
                    scenes[name]?[id] = before[name]?[id]
                } else {
                    unread["scenes/" + name]?[id] = nil
                }
            }
            for (id, value) in before[name] ?? [:] where Parameter.named(id) == nil { scenes[name]?[id] = value }
        }
        used = used.filter { key, _ in
            let parts = key.split(separator: "/")
            return parts.count == 1 || scenes[String(parts[0])] != nil
        }
    }

    /// Drops the plugins' values, which the plugins' own states contain, the values that an undo has cleared, and the
    /// modes before a comparison that has ended.
    ///
    /// - Parameters:
    ///   - now: values in force. An input that has none of them is missing here, and its saved values stay.
    ///   - isMissing: returns whether the value at an address could not be applied here; such a value stays.
    package mutating func dropCleared(_ now: SessionValues, isMissing: (String) -> Bool) {
        func input(_ place: StateAddress) -> String? { if case .input(let name, _) = place { name } else { nil } }
        let inputsHere = Set(now.keys.compactMap { input(StateAddress($0)) })
        state = state.filter { address, _ in
            let place = StateAddress(address)
            guard place.plugin == nil else { return false }
            guard place.isTold else { return now[address] != nil }
            guard now[address] == nil, !isMissing(address), input(place).map(inputsHere.contains) ?? true,
                let traits = place.parameter?.traits
            else { return true }
            return traits.isDisjoint(with: [.isUnsetAtFirst, .isDerived])
        }
    }

    /// Moves the choices of the stage from the state into options: their files are then found again like those of
    /// options.
    package mutating func takeMakings(_ standing: inout Standing) {
        for parameter in Parameter.all where parameter.rebuildsStage {
            guard let value = state.removeValue(forKey: parameter.id) else { continue }
            let (option, word) = (parameter.option, value.written.joined(separator: ","))
            // A value missing on this machine is kept for one that has it.
            if standing.holds(option, word) { continue }
            if word != parameter.standard {
                options[option] = .text(word)
            } else if options[option]?.word != word {
                options[option] = nil
                used[option] = nil
            }
        }
    }
}
