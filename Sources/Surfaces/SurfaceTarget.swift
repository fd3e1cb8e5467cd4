import Gate
import Stages

/// Target of a control: a parameter of the session, given by its address, or one of the parameter's numbers; and the
/// law between value and position.
package struct SurfaceTarget: Sendable, Equatable {
    /// Address.
    package let address: String
    /// Values that the address accepts.
    package let scale: SurfaceScale
    /// Index of the number that is set; 0 if the address has one number or none.
    package let part: Int
    /// Law between number and position; nil for words, actions, and numbers whose range is neither known nor given.
    package let law: FaderLaw?

    /// Creates a target. `part` is clamped to the indices of the numbers.
    package init(_ address: String, _ scale: SurfaceScale, part: Int = 0, from: Double? = nil, to: Double? = nil) {
        self.address = address
        self.scale = scale
        self.part = scale.numbers.isEmpty ? 0 : min(max(0, part), scale.numbers.count - 1)
        let hasNoWay = scale.numbers.isEmpty || scale.isUnknown && (from == nil || to == nil)
        law =
            hasNoWay
            ? nil : FaderLaw(scale.numbers[self.part], from: from, to: to, isLogarithmic: scale.isLogarithmic)
    }

    /// Returns the value at a position; nil for an action. `now`: present value, if known. Its other numbers are kept.
    /// At the lower end of a meter scale the value is `off`, if the address has that word.
    package func value(at position: Double, from now: ParameterValue?) -> ParameterValue? {
        guard let law else {
            let states = scale.isSwitch ? ["off", "on"] : scale.states
            guard !states.isEmpty else { return nil }
            // The middle counts as on (MIDI 1.0: 64 and above).
            return .word(states[Int(clamping: position * Double(states.count), .towardZero, to: 0...states.count - 1)])
        }
        if law.isMeter, position <= 0, scale.words.contains("off") { return .word("off") }
        return replacing(law.value(at: position), in: now)
    }

    /// Returns the position of a value; nil if it has none.
    package func position(of value: ParameterValue) -> Double? {
        switch value {
        case .numbers(let numbers): return part < numbers.count ? law?.position(of: numbers[part]) : nil
        case .word("off") where law?.isMeter == true: return 0
        case .word(let word):
            let states = scale.isSwitch ? ["off", "on"] : scale.states
            guard let index = states.firstIndex(of: word), states.count > 1 else { return nil }
            return law == nil ? Double(index) / Double(states.count - 1) : nil
        }
    }

    /// Returns the value after some steps: a changed number, or another word; nil for an action. A whole number changes
    /// by at least 1. A number outside the range stays if it would otherwise move against the direction of the turn.
    ///
    /// - Parameter step: size of a step in the number's unit; nil for a 128th of the range.
    package func value(_ steps: Int, of step: Double?, from now: ParameterValue?) -> ParameterValue? {
        guard let law else {
            if scale.isSwitch { return .word(steps > 0 ? "on" : "off") }
            let states = scale.states
            guard !states.isEmpty else { return nil }
            let here = now.flatMap { states.firstIndex(of: $0.word) } ?? 0
            return .word(states[min(states.count - 1, max(0, here + steps))])
        }
        let present = now ?? scale.standard
        if steps < 0, present == .word("off") { return present }
        let position = present.flatMap(position(of:)) ?? law.position(of: 0)
        let number = present.flatMap { part < $0.numbers.count ? $0.numbers[part] : nil } ?? law.value(at: position)
        var moved = number
        if let step {
            moved = number + Double(steps) * step
        } else if case .numbers(let numbers)? = value(at: position + Double(steps) / 128, from: now) {
            moved = numbers[part]
        } else {
            return .word("off")
        }
        if law.isWhole {
            moved = moved.rounded()
            if moved == number.rounded() { moved += Double(steps.signum()) }
        }
        let bounded = min(law.range.upperBound, max(law.range.lowerBound, moved))
        return replacing(steps > 0 ? max(number, bounded) : min(number, bounded), in: now)
    }

    /// Returns the value after a press: the other state of a switch, or the next of several words; nil for others.
    package func pressed(from now: ParameterValue?) -> ParameterValue? {
        if scale.isSwitch {
            if let now { return .word(scale.isOn(now) ? "off" : "on") }
            return scale.words.contains("toggle") ? .word("toggle") : .word("on")
        }
        let states = scale.states
        guard law == nil, !states.isEmpty else { return nil }
        let here = now.flatMap { states.firstIndex(of: $0.word) }
        return .word(states[here.map { ($0 + 1) % states.count } ?? 0])
    }

    /// Returns the value with this number; nil if it is outside the range.
    package func number(_ number: Double, in now: ParameterValue?) -> ParameterValue? {
        guard let law, law.range.contains(number) else { return nil }
        return replacing(number, in: now)
    }

    /// Returns the value with this part's number. Other numbers that are unknown have their defaults.
    private func replacing(_ number: Double, in now: ParameterValue?) -> ParameterValue {
        guard scale.numbers.count > 1 else { return .numbers([number]) }
        let standard = scale.standard?.numbers ?? []
        var numbers = now?.numbers ?? []
        for (index, each) in scale.numbers.enumerated() where index >= numbers.count {
            let unsaid = index < standard.count ? standard[index] : each.omitted ?? 0
            numbers.append(min(each.range.upperBound, max(each.range.lowerBound, unsaid)))
        }
        numbers[part] = number
        return .numbers(numbers)
    }
}
