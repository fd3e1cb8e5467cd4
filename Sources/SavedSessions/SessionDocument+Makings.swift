import AudioIO
import Desk
import Gate
import Stages

extension Parameter {
    private static let choices = Dictionary(
        all.filter(\.rebuildsStage).map { ($0.option, $0) }, uniquingKeysWith: { first, _ in first })

    /// Returns the choice of the stage that an option sets; nil for other options.
    package static func choice(ofOption option: String) -> Parameter? { choices[option] }

    /// Returns the choice of the stage at an address; nil for other addresses.
    package static func choice(at address: String) -> Parameter? {
        named(address).flatMap { $0.rebuildsStage ? $0 : nil }
    }
}

/// Options, and choices of the stage.
extension SessionDocument {
    /// Options with which the session is begun again: the options and the choices of the heard stage.
    package var recipe: [String: JSONValue] {
        state.reduce(into: options) { recipe, value in
            guard let choice = Parameter.choice(at: value.key) else { return }
            recipe[choice.option] = .text(value.value.written.joined(separator: ","))
        }
    }

    /// Takes over options, in place of those of the same names.
    package mutating func take(options new: [String: JSONValue]) {
        for (option, said) in new {
            guard let choice = Parameter.choice(ofOption: option) else {
                options[option] = said
                continue
            }
            if let word = said.word {
                options[option] = nil
                // A value that this version does not take is kept as it is.
                state[choice.id] = (try? choice.value(of: [word])) ?? .word(word)
            } else {
                options[option] = said
                state[choice.id] = nil
            }
        }
    }
}

/// Saved values, and those in force in their place.
extension SessionDocument {
    /// Values in force that stand for saved ones, because a file is missing or elsewhere on this machine, or because
    /// the saved value was refused or not understood. While such a value is in force, the saved one is kept.
    package struct Standing: Sendable, Equatable {
        /// Values in force, by address, or by `SCENE/PARAMETER` for a scene that is not heard; nil: no value is in
        /// force.
        package var values: [String: ParameterValue?] = [:]

        /// Holds no values.
        package init() {}

        /// Returns whether `value` still stands for a saved value. Otherwise removes the entry.
        package mutating func holds(_ key: String, _ value: ParameterValue) -> Bool {
            guard let standing = values[key] else { return false }
            if standing == value { return true }
            values.removeValue(forKey: key)
            return false
        }
    }

    /// Returns the values in force that stand for saved ones.
    ///
    /// - Parameters:
    ///   - now: values in force.
    ///   - refused: addresses whose saved values were refused.
    package func standing(for now: SessionValues, refused: Set<String>) -> Standing {
        var standing = Standing()
        for choice in Parameter.all where choice.rebuildsStage {
            guard let value = now[choice.id], recipe[choice.option] != nil else { continue }
            if state[choice.id]?.written != value.written { standing.values[choice.id] = value }
        }
        for address in refused.union((unread["state"] ?? [:]).keys) {
            standing.values.updateValue(now[address], forKey: address)
        }
        return standing
    }

    /// Returns the values of unheard scenes that stand for saved ones.
    package func standing(forScenes values: [String: SessionValues]) -> Standing {
        var standing = Standing()
        for (name, values) in values {
            for (id, value) in values where scenes[name]?[id] != value {
                guard scenes[name]?[id] != nil || unread["scenes/" + name]?[id] != nil else { continue }
                standing.values["\(name)/\(id)"] = value
            }
        }
        return standing
    }

    /// Changes the heard scene. Saved values for which others stand, and their files, move with their scenes.
    package mutating func turn(to next: String, _ standing: inout Standing) {
        guard next != scene else { return }
        for choice in Parameter.all where choice.rebuildsStage {
            let (id, option) = (choice.id, choice.option)
            let (left, come) = ("\(scene)/\(id)", "\(next)/\(id)")
            if let value = standing.values.removeValue(forKey: id), let kept = state[id] {
                standing.values[left] = value
                scenes[scene, default: [:]][id] = kept
                used[left] = used[option]
            }
            (state[id], options[option], used[option]) = (nil, nil, nil)
            if let value = standing.values.removeValue(forKey: come) {
                standing.values[id] = value
                state[id] = scenes[next]?[id]
                used[option] = used[come]
            }
        }
        scene = next
        others["scene"] = nil
    }

    /// Takes over the state of a playing session. Saved data that this machine could not apply are kept.
    ///
    /// - Parameters:
    ///   - now: state of the session; see `LiveSession.snapshot(keeping:)`.
    ///   - unbuilt: saved scenes that are not built. Those of `now` are removed.
    ///   - standing: values in force that stand for saved ones.
    package mutating func take(_ now: SessionDocument, unbuilt: inout Set<String>, _ standing: inout Standing) {
        // The client's own ports are saved without its name, which may differ the next time.
        (client, links) = ("", Self.plain(now.links, now.client))
        let namesScenes = !now.scene.isEmpty
        if namesScenes { turn(to: now.scene, &standing) }
        take(now.state, &standing)
        trackers.merge(now.trackers) { former, new in
            guard case .object(let former) = former, case .object(let new) = new else { return new }
            return .object(former.merging(new) { $1 })
        }
        guard namesScenes else { return }
        unbuilt.subtract(now.scenes.keys)
        unbuilt.remove(now.scene)
        take(scenes: now.scenes, unbuilt: unbuilt, &standing)
    }

    /// Returns the links, with the client's name removed from its own ports.
    package static func plain(_ links: [JACKLink], _ client: String) -> [JACKLink] {
        func plain(_ port: String) -> String {
            port.hasPrefix(client + ":") ? String(port.dropFirst(client.count)) : port
        }
        return links.map { JACKLink(from: plain($0.from), to: plain($0.to)) }
    }

    /// Takes over the values in force. Saved values for which others stand are kept.
    package mutating func take(_ now: SessionValues, _ standing: inout Standing) {
        dropCleared(now) { standing.values.keys.contains($0) }
        for (address, value) in now where StateAddress(address).isKept {
            if standing.holds(address, value) { continue }
            unread["state"]?[address] = nil
            guard let choice = Parameter.choice(at: address) else {
                state[address] = value
                continue
            }
            options[choice.option] = nil
            // A default is entered only where it was entered before.
            let isDefault = value.written.joined(separator: ",") == choice.standard
            state[address] = isDefault && state[address]?.written != value.written ? nil : value
        }
    }

    /// Takes over the unheard scenes. Keeps saved values that are replaced on this machine, the scenes of `unbuilt`,
    /// and parameters unknown to this version.
    package mutating func take(
        scenes now: [String: SessionValues], unbuilt: Set<String>, _ standing: inout Standing
    ) {
        let before = scenes
        scenes = before.filter { unbuilt.contains($0.key) }.merging(now) { $1 }
        for (name, values) in now {
            for (id, value) in values {
                if standing.holds("\(name)/\(id)", value) {
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
}
