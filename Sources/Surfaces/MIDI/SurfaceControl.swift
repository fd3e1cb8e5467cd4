/// Something on a device that can be moved or pressed, by the messages it sends.
package struct SurfaceControl: Hashable, Sendable {
    /// What it sends.
    package enum Kind: Hashable, Sendable {
        /// A note.
        case note(UInt8)
        /// A controller of seven bits.
        case controller(UInt8)
        /// Two controllers of seven bits each: n, 0…31, and n + 32, which has the finer ones.
        case pair(UInt8)
        /// The pitch wheel of a channel, which faders use for its fourteen bits.
        case bend
        /// A programme; nil: any, by its number.
        case program(UInt8?)
    }

    /// What it sends.
    package var kind: Kind
    /// On which channel, 0…15; nil: on any.
    package var channel: UInt8?

    /// A control.
    package init(_ kind: Kind, channel: UInt8? = nil) {
        self.kind = kind
        self.channel = channel
    }

    /// What a message says of this control; nil where it is none of its messages.
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

    /// What a control did.
    package enum Event: Hashable, Sendable {
        /// It went down, or up.
        case pressed(Bool)
        /// Its seven bits.
        case value(UInt8)
        /// The coarse seven of its fourteen bits, from which the fine ones begin at 0 (MIDI 1.0, "Control Change").
        case coarse(UInt8)
        /// The fine ones.
        case fine(UInt8)
        /// Its fourteen bits.
        case position(UInt16)
        /// The number of a programme.
        case chosen(UInt8)
    }

    /// The largest number a position can be told by; nil where it has none.
    package var fullScale: Int? {
        switch kind {
        case .controller: 127
        case .pair, .bend: 16_383
        case .note, .program: nil
        }
    }

    /// The messages that move it to a position, or light its lamp where there is any value above 0. `channel`: where it
    /// listens to all of them, the one it was last heard on.
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
    /// As it is written in maps, without the channel: `note 36`, `cc 7`, `cc14 1`, `bend`, `program`, `program 3`.
    package var written: String {
        switch kind {
        case .note(let number): "note \(number)"
        case .controller(let number): "cc \(number)"
        case .pair(let number): "cc14 \(number)"
        case .bend: "bend"
        case .program(let number): "program" + (number.map { " \($0)" } ?? "")
        }
    }

    /// A control as it is written; nil where it is none.
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
