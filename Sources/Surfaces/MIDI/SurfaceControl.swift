/// A fader, knob or button of a MIDI device, identified by its messages.
package struct SurfaceControl: Hashable, Sendable {
    /// Kind of a control's messages.
    package enum Kind: Hashable, Sendable {
        /// Note.
        case note(UInt8)
        /// Seven-bit controller.
        case controller(UInt8)
        /// Two seven-bit controllers: n, 0…31, with the coarse bits, and n + 32 with the fine bits.
        case pair(UInt8)
        /// Pitch bend of a channel. Some faders send it because it has fourteen bits.
        case bend
        /// Program change; nil means any program, whose number is the value.
        case program(UInt8?)
    }

    /// Kind of the messages.
    package var kind: Kind
    /// Channel, 0…15; nil means any channel.
    package var channel: UInt8?

    /// Creates a control.
    package init(_ kind: Kind, channel: UInt8? = nil) {
        self.kind = kind
        self.channel = channel
    }

    /// Returns the event of this control in a message; nil for other messages.
    package func event(_ message: MIDIMessage) -> Event? {
        let event: Event
        switch (kind, message) {
        case (.note(let wanted), .noteOn(_, let note, _)) where note == wanted: event = .pressed(true)
        case (.note(let wanted), .noteOff(_, let note, _)) where note == wanted: event = .pressed(false)
        case (.controller(let wanted), .controller(_, let number, let value)) where number == wanted:
            event = .value(value)
        case (.pair(let wanted), .controller(_, let number, let value)) where number == wanted: event = .coarse(value)
        case (.pair(let wanted), .controller(_, let number, let value)) where number == wanted + 32:
            event = .fine(value)
        case (.bend, .pitchBend(_, let value)): event = .position(value)
        case (.program(let wanted), .program(_, let number)) where wanted == nil || wanted == number:
            event = .chosen(number)
        default: return nil
        }
        return channel == nil || channel == message.channel ? event : nil
    }

    /// Event of a control.
    package enum Event: Hashable, Sendable {
        /// Press or release.
        case pressed(Bool)
        /// Value of seven bits.
        case value(UInt8)
        /// Upper seven of fourteen bits, which reset the lower seven bits to 0 (MIDI 1.0, "Control Change").
        case coarse(UInt8)
        /// Lower seven of fourteen bits.
        case fine(UInt8)
        /// Value of fourteen bits.
        case position(UInt16)
        /// Number of a program.
        case chosen(UInt8)
    }

    /// Greatest position; nil for controls without a position.
    package var fullScale: Int? {
        switch kind {
        case .controller: 127
        case .pair, .bend: 16_383
        case .note, .program: nil
        }
    }

    /// Returns the messages that move the control to a position, or switch its lamp on for a value above 0; none for a
    /// program change. `heard`: channel of its last message, used if the control has no fixed channel.
    package func messages(_ value: Int, channel heard: UInt8 = 0) -> [MIDIMessage] {
        let channel = channel ?? heard
        switch kind {
        case .note(let note):
            return [
                value > 0
                    ? .noteOn(channel: channel, note: note, velocity: UInt8(clamping: min(127, value)))
                    : .noteOff(channel: channel, note: note, velocity: 0)
            ]
        case .controller(let number):
            return [.controller(channel: channel, number: number, value: UInt8(min(127, max(0, value))))]
        case .pair(let number):
            let value = min(16_383, max(0, value))
            return [
                .controller(channel: channel, number: number, value: UInt8(value >> 7)),
                .controller(channel: channel, number: number + 32, value: UInt8(value & 0x7F)),
            ]
        case .bend: return [.pitchBend(channel: channel, value: UInt16(min(16_383, max(0, value))))]
        case .program: return []
        }
    }
}

extension SurfaceControl {
    /// Control as in maps, without the channel: `note 36`, `cc 7`, `cc14 1`, `bend`, `program`, `program 3`.
    package var written: String {
        switch kind {
        case .note(let number): "note \(number)"
        case .controller(let number): "cc \(number)"
        case .pair(let number): "cc14 \(number)"
        case .bend: "bend"
        case .program(let number): "program" + (number.map { " \($0)" } ?? "")
        }
    }

    /// Parses a control as in maps; nil for malformed text.
    package init?(_ written: String, channel: UInt8? = nil) {
        let words = written.split(separator: " ")
        guard let word = words.first, words.count <= 2 else { return nil }
        let number = words.count == 2 ? UInt8(words[1]) : nil
        switch (word, words.count, number) {
        case ("note", 2, let number?) where number < 128: kind = .note(number)
        case ("cc", 2, let number?) where number < 128: kind = .controller(number)
        case ("cc14", 2, let number?) where number < 32: kind = .pair(number)
        case ("bend", 1, nil): kind = .bend
        case ("program", 1, nil): kind = .program(nil)
        case ("program", 2, let number?) where number < 128: kind = .program(number)
        default: return nil
        }
        self.channel = channel
    }
}
