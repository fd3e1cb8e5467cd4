/// MIDI 1.0 message in the form used by JACK: complete, with its status byte. Channels are 0…15.
package enum MIDIMessage: Hashable, Sendable {
    /// Release of a key. A note on with velocity 0 is read as this.
    case noteOff(channel: UInt8, note: UInt8, velocity: UInt8)
    /// Press of a key with a velocity of 1…127.
    case noteOn(channel: UInt8, note: UInt8, velocity: UInt8)
    /// Pressure on a pressed key.
    case keyPressure(channel: UInt8, note: UInt8, pressure: UInt8)
    /// Value of a controller.
    case controller(channel: UInt8, number: UInt8, value: UInt8)
    /// Program change.
    case program(channel: UInt8, number: UInt8)
    /// Pressure on all keys of a channel.
    case channelPressure(channel: UInt8, pressure: UInt8)
    /// Value of the pitch wheel or of a fader, 0…16383.
    case pitchBend(channel: UInt8, value: UInt16)
    /// System exclusive message, from `F0` to `F7`.
    case system([UInt8])

    /// Parses the bytes of one message; nil for other messages, such as clocks, and for incomplete or too many bytes.
    package init?(_ bytes: [UInt8]) {
        guard let status = bytes.first else { return nil }
        if status == 0xF0 {
            guard bytes.count >= 2, bytes.last == 0xF7, bytes.dropFirst().dropLast().allSatisfy({ $0 < 0x80 }) else {
                return nil
            }
            self = .system(bytes)
            return
        }
        let isShort = status & 0xE0 == 0xC0
        guard (0x80..<0xF0).contains(status), bytes.count == (isShort ? 2 : 3),
            bytes.dropFirst().allSatisfy({ $0 < 0x80 })
        else { return nil }
        let (channel, first, second) = (status & 0x0F, bytes[1], isShort ? 0 : bytes[2])
        switch status & 0xF0 {
        case 0x80: self = .noteOff(channel: channel, note: first, velocity: second)
        case 0x90:
            self =
                second == 0
                ? .noteOff(channel: channel, note: first, velocity: 0)
                : .noteOn(channel: channel, note: first, velocity: second)
        case 0xA0: self = .keyPressure(channel: channel, note: first, pressure: second)
        case 0xB0: self = .controller(channel: channel, number: first, value: second)
        case 0xC0: self = .program(channel: channel, number: first)
        case 0xD0: self = .channelPressure(channel: channel, pressure: first)
        default: self = .pitchBend(channel: channel, value: UInt16(second) << 7 | UInt16(first))
        }
    }

    /// Bytes of the message. A note off without a velocity becomes a note on with velocity 0, the form that devices
    /// accept for their lamps.
    package var bytes: [UInt8] {
        switch self {
        case .noteOff(let channel, let note, let velocity):
            velocity == 0 ? [0x90 | channel, note, 0] : [0x80 | channel, note, velocity]
        case .noteOn(let channel, let note, let velocity): [0x90 | channel, note, velocity]
        case .keyPressure(let channel, let note, let pressure): [0xA0 | channel, note, pressure]
        case .controller(let channel, let number, let value): [0xB0 | channel, number, value]
        case .program(let channel, let number): [0xC0 | channel, number]
        case .channelPressure(let channel, let pressure): [0xD0 | channel, pressure]
        case .pitchBend(let channel, let value): [0xE0 | channel, UInt8(value & 0x7F), UInt8(value >> 7 & 0x7F)]
        case .system(let bytes): bytes
        }
    }
}
