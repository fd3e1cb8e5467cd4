import Gate

extension MackieSurface {
    /// Returns the messages that make the device show the present values.
    mutating func redraw(at now: Double) -> [MIDIMessage] {
        glances = glances.filter { $0.value.until > now }
        var messages: [MIDIMessage] = []
        for strip in 0..<MackieWire.stripCount { messages += draw(strip, at: now) }
        for index in motors.indices { messages += moveFader(index, at: now) }
        for (note, button) in buttons.sorted(by: { $0.key < $1.key }) {
            guard let value = state[button.target.address] else {
                // The value was removed, or was never known.
                if shown.isLit(note) { messages += shown.lamp(note, false) }
                continue
            }
            messages += shown.lamp(note, button.preset.map { $0 == value } ?? button.target.scale.isOn(value))
        }
        for index in 0..<MackieWire.assignmentCount where channels.contains(where: { index < $0.knobs.count }) {
            let note = MackieWire.assignment + UInt8(index)
            if buttons[note] == nil { messages += shown.lamp(note, index == page) }
        }
        return messages
    }

    private mutating func moveFader(_ index: Int, at now: Double) -> [MIDIMessage] {
        // The fader of a strip without a fader address is at the lower end. A fader whose value is unknown stays where
        // it is.
        var position: Double?
        if let target = fader(index) {
            position = state.present(target.address, at: now).flatMap(target.position(of:))
        } else if index < MackieWire.stripCount {
            position = 0
        }
        let sent =
            position.map { Int(clamping: $0 * Double(MackieWire.fullScale), to: 0...MackieWire.fullScale) }
            .flatMap { motors[index].show($0, at: now) }
        return sent.map { [MackieWire.fader(index, $0)] } ?? []
    }

    private mutating func draw(_ strip: Int, at now: Double) -> [MIDIMessage] {
        let channel = channel(strip)
        var messages = shown.text(channel?.name ?? "", strip: strip, line: 0, extender: isExtender)
        var value = ""
        if let target = glances[strip]?.target ?? channel?.fader {
            value = state.present(target.address, at: now).map(target.text(of:)) ?? ""
        }
        messages += shown.text(value, strip: strip, line: 1, extender: isExtender)
        for button in MackieWire.StripButton.allCases where button != .knob {
            var isOn = button == .select && channel != nil && selected == first + strip
            if let target = channel?.buttons[button] { isOn = state[target.address].map(target.scale.isOn) ?? false }
            messages += shown.lamp(button.rawValue + UInt8(strip), isOn)
        }
        let knob = channel?.knob(page)
        let position = knob.flatMap { knob in
            state.present(knob.target.address, at: now).flatMap(knob.target.position(of:))
        }
        messages += shown.ring(strip, position, knob?.ring ?? .dot)
        return messages
    }
}
