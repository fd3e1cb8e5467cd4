import Stages

/// The effects of commands.
extension SoakModel {
    /// Returns the model after a parameter is set; nil if the value needs something that this session lacks.
    func after(_ change: ParameterChange) -> SoakModel? {
        var new = self
        let (id, value, target) = (change.parameter.id, change.value, change.input)
        if change.parameter.isOfLoudspeakers {
            new.setLoudspeakers(change.parameter.loudspeakerWord, value, target)
        } else if change.parameter.isOfInputs {
            new.setInputs(id, value, target)
        } else if id == "solo-clear" {
            for kind in ["input", "loudspeaker"] where value == .word("all") || value == .word(kind + "s") {
                for address in values.keys where address.hasPrefix(kind) && address.hasSuffix("/solo") {
                    new.values[address] = .word("off")
                }
                for address in hidden.keys where address.hasPrefix(kind) && address.hasSuffix("/solo") {
                    new.hidden[address] = .word("off")
                }
            }
        } else if id == "room-name" {
            new.values[id] = value
            new.hidden["room"] = values["room"] ?? hidden["room"]
            new.values["room"] = value == .word("none") ? nil : .word("on")
        } else if id == "compare" {
            new.compare(value)
        } else if id == "monitor-source" {
            let source =
                value != .word("toggle") ? value : values[id] == .word("stage") ? .word("reference") : .word("stage")
            guard source == .word("stage") || values["reference-input"] == .word("on") else { return nil }
            new.values[id] = source
        } else if id == "talkback" {
            new.put(value, at: id)
            guard new.values[id] == .word("off") || values["talkback-input"] == .word("on") else { return nil }
        } else if id == "reference-level" {
            guard let calibrated = values["calibrated-level"] else { return nil }
            new.values["monitor-level"] = .numbers([value.number - calibrated.number])
        } else {
            guard value != .word("toggle") || values[id] != nil else { return nil }
            new.put(value, at: id)
        }
        new.followCalibration()
        new.followInputs()
        return new
    }

    /// A source without input ports is switched off.
    mutating func followInputs() {
        if values["reference-input"] == .word("off") { values["monitor-source"] = .word("stage") }
        if values["talkback-input"] == .word("off") { values["talkback"] = .word("off") }
    }

    mutating func put(_ value: ParameterValue, at address: String) {
        values[address] = value == .word("toggle") ? .word(values[address] == .word("on") ? "off" : "on") : value
    }

    mutating func followCalibration() {
        guard let level = values["monitor-level"] else { return }
        values["reference-level"] = values["calibrated-level"].map { .numbers([$0.number + level.number]) }
    }

    mutating func setLoudspeakers(_ word: String, _ value: ParameterValue, _ target: String?) {
        func isOn(_ name: String, _ word: String) -> Bool { values["loudspeaker/\(name)/\(word)"] == .word("on") }
        if word == "test-noise" {
            var playing = loudspeakers.first { isOn($0, word) }
            let isOwn = playing != nil && (target == nil || target == playing)
            if value == .word("on") || value == .word("toggle") && !isOwn {
                playing = target ?? ["FC", "M"].first(where: loudspeakers.contains) ?? loudspeakers[0]
            } else if isOwn || target == nil {
                playing = nil
            } else {
                return
            }
            for address in hidden.keys where address.hasSuffix("/test-noise") { hidden[address] = .word("off") }
            for name in loudspeakers { values["loudspeaker/\(name)/\(word)"] = .isOn(name == playing) }
            return
        }
        let soloed = loudspeakers.filter { isOn($0, "solo") }
        for name in loudspeakers where target == nil || target == name { put(value, at: "loudspeaker/\(name)/\(word)") }
        if word == "solo", values["solo-mode"] == .word("exclusive"), let target, isOn(target, word),
            !soloed.contains(target)
        {
            for name in soloed { values["loudspeaker/\(name)/solo"] = .word("off") }
            for address in hidden.keys where address.hasSuffix("/solo") { hidden[address] = .word("off") }
        }
    }

    mutating func setInputs(_ id: String, _ value: ParameterValue, _ target: String?) {
        let isSaid = ["programme-loudness", "dialnorm", "loudness-target", "drc", "drc-cut", "drc-boost"].contains(id)
        let isPassedOn = isSaid || ["level", "polarity"].contains(id)
        let before = values
        for name in inputs where target.map({ $0 == name }) ?? !(isPassedOn && effects.contains(name)) {
            let address = "input/\(name)/\(id)"
            // Only values that the input has are set, and those that may be absent.
            guard values[address] != nil || isSaid else { continue }
            if id == "upmix", !value.numbers.isEmpty {
                for (amount, number) in zip(["centre", "width", "ambience"], value.numbers) {
                    values["\(address)-\(amount)"] = .numbers([number])
                }
                continue
            }
            put(id == "dialnorm" && value.number == 0 ? .numbers([-31]) : value, at: address)
        }
        if id == "mode", values["compare"] != .word("off"), values != before {
            values["compare"] = .word("off")
            modes = [:]
        }
        if id == "solo", values["solo-mode"] == .word("exclusive"), let target,
            values["input/\(target)/solo"] == .word("on")
        {
            for name in inputs where name != target { values["input/\(name)/solo"] = .word("off") }
        }
    }

    mutating func compare(_ value: ParameterValue) {
        for name in inputs {
            let address = "input/\(name)/mode"
            if value == .word("off") {
                if let mode = modes[name] { values[address] = mode }
            } else {
                modes[name] = modes[name] ?? values[address]
                values[address] = value == .word("bypass") ? .word("off") : value
            }
        }
        if value == .word("off") { modes = [:] }
        values["compare"] = value
    }
}
