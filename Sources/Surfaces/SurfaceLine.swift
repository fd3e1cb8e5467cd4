import Gate
import Stages

/// Binding in use, with the last state of its control and of the device's display.
struct SurfaceLine: Sendable {
    let binding: SurfaceBinding
    let target: SurfaceTarget
    /// Value that a press sets, if the map specifies one.
    let preset: ParameterValue?
    /// Position that the device shows.
    var motor = MotorPosition()
    /// Channel of the control's last message.
    var channel: UInt8 = 0
    /// Halves of a fourteen-bit position.
    private var pair = PairedController()
    /// Whether the last position was in the upper half; nil before the first position.
    private var isDown: Bool?
    /// Last position of a control with pick-up, and whether it has met the value.
    private var lastPosition: Double?
    private var hasHold = false

    /// Creates a binding in use; throws an error if the binding is faulty.
    init(_ binding: SurfaceBinding, _ table: SurfaceTable) throws(SurfaceMapError) {
        let place = binding.control.written
        guard let scale = table(binding.address) else {
            throw SurfaceMapError(place, "is bound to '\(binding.address)', which is no address of this session")
        }
        var part = 0
        if let name = binding.part {
            guard let index = scale.numbers.firstIndex(where: { $0.name == name }) else {
                let names = scale.numbers.map(\.name).filter { !$0.isEmpty }.joined(separator: ", ")
                throw SurfaceMapError(
                    place, "moves '\(name)' of \(binding.address), which has \(names.isEmpty ? "no parts" : names)")
            }
            part = index
        }
        preset = binding.value.flatMap(scale.value(of:))
        if let written = binding.value, preset == nil {
            throw SurfaceMapError(
                place, "sets \(binding.address) to '\(written.joined(separator: " "))', which it does not take")
        }
        if case .note = binding.control.kind, preset == nil, !scale.isPressable {
            throw SurfaceMapError(
                place, "is a button, and \(binding.address) takes numbers: state the number, as \"value\": 0")
        }
        self.binding = binding
        target = SurfaceTarget(binding.address, scale, part: part, from: binding.from, to: binding.to)
    }

    /// Returns the value that an event requests. An outer nil means no request; an inner nil means an action without a
    /// value.
    mutating func take(_ event: SurfaceControl.Event, _ state: SurfaceState, at now: Double) -> ParameterValue?? {
        let present = state.present(target.address, at: now)
        switch event {
        case .pressed(let isDown): return press(isDown, from: present, usually: .turnsOver)
        case .value(let value):
            if let encoding = binding.relative {
                let steps = encoding.steps(value)
                return steps == 0 ? nil : target.value(steps, of: binding.step, from: present).map { .some($0) }
            }
            return position(Int(value), of: 127, from: present, at: now)
        case .coarse(let value):
            return position(pair.coarse(value, at: now), of: 16_383, from: present, at: now)
        case .fine(let value):
            guard let value = pair.fine(value, from: elsewhere(present), at: now) else { return nil }
            return position(value, of: 16_383, from: present, at: now)
        case .position(let value): return position(Int(value), of: 16_383, from: present, at: now)
        case .chosen(let number): return choose(number, from: present)
        }
    }

    /// Returns the value that a press requests. A position in the upper half is a press, one in the lower half a
    /// release.
    private func press(
        _ isDown: Bool, from present: ParameterValue?, usually usual: SurfaceBinding.Press
    ) -> ParameterValue?? {
        if target.scale.isDeed { return isDown ? .some(nil) : nil }
        if let preset { return isDown ? .some(preset) : nil }
        if target.scale.isSwitch, (binding.press ?? usual) == .follows { return .some(.word(isDown ? "on" : "off")) }
        return isDown ? target.pressed(from: present).map { .some($0) } : nil
    }

    /// Returns the fourteen-bit position of the present value. Returns nil if this control has set the value, or if the
    /// value is unknown or has no position.
    private func elsewhere(_ present: ParameterValue?) -> Int? {
        guard let present, let there = target.position(of: present) else { return nil }
        if let own = pair.position, target.value(at: Double(own) / 16_383, from: present) == present { return nil }
        return Int(clamping: there * 16_383, to: 0...16_383)
    }

    private mutating func position(
        _ value: Int, of full: Int, from present: ParameterValue?, at now: Double
    ) -> ParameterValue?? {
        motor.moved(to: value, at: now)
        let position = Double(value) / Double(full)
        if target.scale.isDeed || preset != nil || target.scale.isSwitch && target.law == nil {
            let isDown = 2 * value > full
            defer { self.isDown = isDown }
            return isDown == self.isDown ? nil : press(isDown, from: present, usually: .follows)
        }
        if binding.picksUp, !takesHold(position, of: present) { return nil }
        return target.value(at: position, from: present).map { .some($0) }
    }

    /// Returns whether the control's position meets the value, or has passed it.
    private mutating func takesHold(_ position: Double, of present: ParameterValue?) -> Bool {
        defer { lastPosition = position }
        guard let present, let there = target.position(of: present) else { return true }
        let near = 1.5 / 127
        if hasHold, let lastPosition, abs(lastPosition - there) <= near { return true }
        hasHold = abs(position - there) <= near
        if let lastPosition, (lastPosition - there) * (position - there) < 0 { hasHold = true }
        return hasHold
    }

    private func choose(_ number: UInt8, from present: ParameterValue?) -> ParameterValue?? {
        if target.scale.isDeed { return .some(nil) }
        if let preset { return .some(preset) }
        if let range = target.law?.range {
            return range.contains(Double(number)) ? target.number(Double(number), in: present).map { .some($0) } : nil
        }
        let states = target.scale.states
        return Int(number) < states.count ? .some(.word(states[Int(number)])) : nil
    }

    /// Returns the position that shows a value. For a lamp it is 0 or 127. Returns nil if the control gives no
    /// feedback, or cannot show the value.
    func shown(_ value: ParameterValue) -> Int? {
        guard binding.givesFeedback else { return nil }
        if let preset { return isLamp ? (value == preset ? 127 : 0) : nil }
        if isLamp { return target.scale.isSwitch ? (target.scale.isOn(value) ? 127 : 0) : nil }
        guard let full = binding.control.fullScale, let position = target.position(of: value) else { return nil }
        return Int(clamping: position * Double(full), to: 0...full)
    }

    private var isLamp: Bool { if case .note = binding.control.kind { true } else { false } }
}
