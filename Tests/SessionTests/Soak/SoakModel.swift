import Desk
import Stages

/// Expected state of a session after commands, from their documented effects, not from their implementation.
struct SoakModel {
    /// Every value that a command can set, by its address.
    var values: [String: ParameterValue]
    /// Steps that can be undone, and redone.
    var done: [Step] = [], undone: [Step] = []
    let inputs: [String], effects: Set<String>
    var loudspeakers: [String]
    /// Name of the scene that is heard, and the values of the others by name.
    var scene = "a"
    var others: [String: [String: ParameterValue]] = [:]
    /// Remembered values of loudspeakers and of the room's switch that the present stage lacks.
    var hidden: [String: ParameterValue] = [:]
    /// Modes of the inputs before a comparison.
    var modes: [String: ParameterValue] = [:]

    /// A change in the history.
    struct Step {
        var values: [String: (before: ParameterValue?, after: ParameterValue?)]
        var plugins: (before: [String: ParameterValue], after: [String: ParameterValue])?
        /// Modes of the inputs before a comparison.
        var modes: (before: [String: ParameterValue], after: [String: ParameterValue])
        var time: Double
        var scene: String?

        /// Whether the step changed a value that the stage is built from.
        var isOfStage: Bool { values.keys.contains(where: SoakModel.isOfStage) }
    }

    /// Returns whether the stage is built from the value of an address.
    static func isOfStage(_ address: String) -> Bool { Parameter.named(address)?.rebuildsStage == true }

    /// Returns whether each scene has a value of its own at an address.
    static func isOfScene(_ address: String) -> Bool { isOfStage(address) || address.hasPrefix("plugin/") }

    /// Returns the values that a command can set; the others are facts.
    static func meant(_ values: [String: ParameterValue]) -> [String: ParameterValue] {
        values.filter { StateAddress($0.key).isKept || isOfTheMoment($0.key) }
    }

    static func names(_ kind: String, in values: [String: ParameterValue]) -> [String] {
        Set(values.keys.filter { $0.hasPrefix(kind + "/") }.map { String($0.split(separator: "/")[1]) }).sorted()
    }

    /// Returns whether an address may be without a value until a command sets one.
    static func mayBeUnsaid(_ address: String) -> Bool {
        ["calibrated-level", "dialnorm", "drc", "loudness-target", "programme-loudness"]
            .contains(address.split(separator: "/").last.map(String.init) ?? "")
    }

    /// Returns whether the history leaves an address out.
    static func isOfTheMoment(_ address: String) -> Bool {
        address == "talkback" || address.hasSuffix("/test-noise")
    }

    init(_ told: [String: ParameterValue], effects: Set<String>) {
        values = Self.meant(told)
        (inputs, self.effects) = (Self.names("input", in: told), effects)
        loudspeakers = Self.names("loudspeaker", in: told)
    }

    /// Returns the differences between the expected values and those published, as texts.
    func differences(from told: [String: ParameterValue]) -> [String] {
        let scenes = ([scene] + others.keys).sorted().joined()
        let wrong = [("scene", scene), ("scenes", scenes)].filter { told[$0.0] != .word($0.1) }.map {
            "\($0.0) must be \($0.1), is \(Self.text(told[$0.0]))"
        }
        let told = Self.meant(told)
        return wrong
            + Set(values.keys).union(told.keys).sorted().compactMap { address in
                let (wanted, found) = (values[address], told[address])
                if let wanted, let found, Self.areAlike(wanted, found) { return nil }
                return "\(address) must be \(Self.text(wanted)), is \(Self.text(found))"
            }
    }

    static func text(_ value: ParameterValue?) -> String { value?.written.joined(separator: " ") ?? "nothing" }

    static func areAlike(_ one: ParameterValue, _ other: ParameterValue) -> Bool {
        one.numbers.count == other.numbers.count && one.word == other.word
            && zip(one.numbers, other.numbers).allSatisfy { abs($0 - $1) < 2e-3 }
    }

    // MARK: Stages

    /// Adopts another stage. Values that the former stage lacked are those of the last stage that had them, otherwise
    /// those published.
    mutating func settle(_ told: [String: ParameterValue]) {
        let told = Self.meant(told)
        for (address, value) in values where told[address] == nil {
            let isRemembered = address.hasPrefix("loudspeaker/") || address == "room"
            if isRemembered { hidden[address] = value }
            if isRemembered || address.hasPrefix("input/") { values[address] = nil }
        }
        for (address, value) in told where values[address] == nil {
            if address.hasPrefix("loudspeaker/") || address == "room" {
                values[address] = hidden[address] ?? value
            } else if address.hasPrefix("input/") {
                values[address] = value
            }
        }
        loudspeakers = Self.names("loudspeaker", in: values)
    }

    /// Adopts a scene that is heard.
    mutating func hear(_ name: String, _ told: [String: ParameterValue]) {
        if name != scene {
            let own = values.filter { Self.isOfScene($0.key) }
            let next = others.removeValue(forKey: name) ?? own
            others[scene] = own
            values = values.filter { !Self.isOfScene($0.key) }.merging(next) { $1 }
            if values["room-name"] == .word("none"), let room = values.removeValue(forKey: "room") {
                hidden["room"] = room
            }
            scene = name
        }
        settle(told)
    }

    /// Removes a scene that is not heard; false where there is none.
    mutating func clear(_ name: String) -> Bool {
        guard others.removeValue(forKey: name) != nil else { return false }
        done.removeAll { $0.scene == name }
        undone.removeAll { $0.scene == name }
        return true
    }

    // MARK: Plugins

    /// Names of the plugins.
    var plugins: [String] { Self.names("plugin", in: values) }

    /// Returns the model with a plugin's controls, or (nil) without the plugin.
    func with(_ name: String, _ controls: [String: ParameterValue]?) -> SoakModel {
        var new = self
        let prefix = "plugin/\(name)/"
        guard let controls else {
            new.values = values.filter { !$0.key.hasPrefix(prefix) }
            return new
        }
        for (address, value) in controls { new.values[prefix + address] = value }
        return new
    }

    var ofPlugins: [String: ParameterValue] { values.filter { $0.key.hasPrefix("plugin/") } }

    // MARK: The history

    /// Adopts the state after a command, as a step that can be undone.
    mutating func note(_ new: SoakModel, at time: Double, ofPlugins: Bool = false, chains: Bool = false) {
        var step = Step(values: [:], modes: (modes, new.modes), time: time)
        for address in Set(values.keys).union(new.values.keys)
        where values[address] != new.values[address] && address.hasPrefix("plugin/") == ofPlugins
            && !Self.isOfTheMoment(address)
        {
            step.values[address] = (values[address], new.values[address])
        }
        if chains { (step.plugins, step.values) = ((self.ofPlugins, new.ofPlugins), [:]) }
        if ofPlugins || step.isOfStage { step.scene = scene }
        (values, modes, hidden, loudspeakers) = (new.values, new.modes, new.hidden, new.loudspeakers)
        guard chains || !step.values.isEmpty else { return }
        undone = []
        if let last = done.last, last.plugins == nil, !chains, last.scene == step.scene, time - last.time < 0.5,
            Set(last.values.keys) == Set(step.values.keys)
        {
            for (address, value) in step.values { done[done.count - 1].values[address]?.after = value.after }
            done[done.count - 1].time = time
            done[done.count - 1].modes.after = new.modes
            if done[done.count - 1].values.allSatisfy({ $0.value.before == $0.value.after }) { done.removeLast() }
            return
        }
        done = (done + [step]).suffix(100)
    }

    /// Keeps a value as published: its undo was refused with a reason.
    mutating func keep(_ address: String, as told: [String: ParameterValue]) { values[address] = told[address] }

    /// Undoes or redoes a step; false without one, or where it belongs to another scene. `told`: the state afterwards.
    mutating func turn(_ request: SessionCommand.History, _ told: [String: ParameterValue]) -> Bool {
        guard let next = request == .undo ? done.last : undone.last, next.scene == nil || next.scene == scene,
            let step = request == .undo ? done.popLast() : undone.popLast()
        else { return false }
        if request == .undo { undone.append(step) } else { done.append(step) }
        let before = values
        if let plugins = step.plugins {
            values = values.filter { !$0.key.hasPrefix("plugin/") }
            values.merge(request == .undo ? plugins.before : plugins.after) { $1 }
        }
        let wanted = step.values.compactMapValues { request == .undo ? $0.before : $0.after }
        if let compared = wanted["compare"] {
            // The modes from before the comparison come back with it.
            modes = compared == .word("off") ? [:] : request == .undo ? step.modes.before : step.modes.after
        } else if values["compare"] != .word("off"),
            wanted.contains(where: { $0.key.hasSuffix("/mode") && before[$0.key] != $0.value })
        {
            values["compare"] = .word("off")
            modes = [:]
        }
        // Values that the stage lacks cannot be restored, except those that may be absent.
        for (address, value) in step.values where Self.mayBeUnsaid(address) {
            values[address] = request == .undo ? value.before : value.after
        }
        // The switch of a loudspeaker that the stage lacks is remembered.
        for (address, value) in wanted where address.hasPrefix("loudspeaker/") && values[address] == nil {
            hidden[address] = value
        }
        values.merge(wanted.filter { step.isOfStage || values[$0.key] != nil }) { $1 }
        if step.isOfStage {
            settle(told)
        }
        followCalibration()
        followInputs()
        return true
    }
}
