import Gate
import Soundstage
import Stages

/// What a stage is built of.
extension SavedSession {
    /// What a session plays in place of what was saved, because it is not on this machine or lies elsewhere on it: what
    /// is in force, in a word, by option or by `SCENE/PARAMETER`. As long as that is in force,
    /// what was saved stays saved.
    package struct Standing: Sendable, Equatable {
        /// What is in force, by option or scene and parameter.
        package var words: [String: String] = [:]

        /// Nothing.
        package init() {}

        /// Whether what is in force only stands for what was saved; not any more, once it is something else.
        package mutating func holds(_ key: String, _ word: String) -> Bool {
            if words[key] == word { return true }
            words[key] = nil
            return false
        }
    }

    /// What is in force otherwise than the options say.
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

    /// The same of the scenes that are not heard.
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

    /// Another scene is heard: what was missed of either goes with it.
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

    /// Takes up the scenes that are not heard. What was missed of them on this machine is kept for one that has it, as
    /// are the scenes of `unbuilt` and what this version does not know.
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

    /// Turns what the state says of what the stage is built of into options, as it would be said to begin with: what is
    /// a file is then found again like any other.
    package mutating func takeMakings(_ standing: inout Standing) {
        for parameter in Parameter.all where parameter.rebuildsStage {
            guard let value = state.removeValue(forKey: parameter.id) else { continue }
            let (option, word) = (parameter.option, value.written.joined(separator: ","))
            // What was missed on this machine is kept for one that has it.
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
