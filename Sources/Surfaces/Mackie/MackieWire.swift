import Foundation
import Gate

/// Messages of a Mackie Control in its native mode. The device has a master fader and eight strips, each with a motor
/// fader, a knob with a ring of lamps, four buttons and two lines of seven characters.
///
/// Faders are on channels 0…8, all other controls on channel 0. Strips are counted from 0. Rings, lamps and texts
/// follow the manufacturer's MIDI implementation of Mackie Control and Logic Control.
enum MackieWire {
    static let stripCount = 8
    /// Channel of the ninth fader.
    static let master = 8
    /// Number of characters in a strip's line.
    static let width = 7
    /// Position of a fader at its upper end. Pitch bend ends at 16 383 and a Mackie's ten bits at 16 368, but an
    /// X-Touch ends at this value. Greater values count as the end.
    static let fullScale = 15_935

    /// Buttons of a strip, with the note for the first strip.
    enum StripButton: UInt8, CaseIterable {
        case record = 0x00, solo = 0x08, mute = 0x10, select = 0x18, knob = 0x20
    }

    /// Note for the touch of the first strip's fader. The notes of the other strips and of the master follow.
    static let touch: UInt8 = 0x68

    /// Buttons outside the strips, by their names in maps.
    static let buttons: [String: UInt8] = {
        var all: [String: UInt8] = [
            "track": 0x28, "send": 0x29, "pan": 0x2A, "plugin": 0x2B, "eq": 0x2C, "instrument": 0x2D, "flip": 0x32,
            "global": 0x33, "display": 0x34, "beats": 0x35, "shift": 0x46, "option": 0x47, "control": 0x48,
            "alt": 0x49, "read": 0x4A, "write": 0x4B, "trim": 0x4C, "touch": 0x4D, "latch": 0x4E, "group": 0x4F,
            "save": 0x50, "undo": 0x51, "cancel": 0x52, "enter": 0x53, "marker": 0x54, "nudge": 0x55, "cycle": 0x56,
            "drop": 0x57, "replace": 0x58, "click": 0x59, "solo": 0x5A, "rewind": 0x5B, "forward": 0x5C, "stop": 0x5D,
            "play": 0x5E, "record": 0x5F, "up": 0x60, "down": 0x61, "left": 0x62, "right": 0x63, "zoom": 0x64,
            "scrub": 0x65, "user-a": 0x66, "user-b": 0x67,
        ]
        for number in 1...8 {
            all["f\(number)"] = 0x36 + UInt8(number) - 1
            all["view\(number)"] = 0x3E + UInt8(number) - 1
        }
        return all
    }()

    /// Buttons that shift the strips along the channels.
    static let bankLeft: UInt8 = 0x2E, bankRight: UInt8 = 0x2F, channelLeft: UInt8 = 0x30, channelRight: UInt8 = 0x31
    /// First of the buttons that select the page of knobs, and their number.
    static let assignment: UInt8 = 0x28, assignmentCount = 6
    static let flip: UInt8 = 0x32
    static let display: UInt8 = 0x34

    /// First controller of the knobs (values: sign and number of steps), and of the rings of lamps.
    static let knob: UInt8 = 0x10, ring: UInt8 = 0x30

    /// Event of the device.
    enum Event: Equatable {
        case fader(Int, Int)
        case touch(Int, Bool)
        case knob(Int, steps: Int)
        case strip(StripButton, Int, isDown: Bool)
        case button(UInt8, isDown: Bool)
    }

    /// Returns the event in a message; nil for other messages.
    static func event(_ message: MIDIMessage) -> Event? {
        switch message {
        case .pitchBend(let channel, let value) where channel <= master: return .fader(Int(channel), Int(value))
        case .controller(0, let number, let value) where (knob..<knob + 8).contains(number):
            return .knob(Int(number - knob), steps: RelativeEncoding.signBit.steps(value))
        case .noteOn(0, let note, _): return button(note, true)
        case .noteOff(0, let note, _): return button(note, false)
        default: return nil
        }
    }

    private static func button(_ note: UInt8, _ isDown: Bool) -> Event {
        if (touch...touch + UInt8(master)).contains(note) { return .touch(Int(note - touch), isDown) }
        guard note < 0x28, let button = StripButton(rawValue: note & 0xF8) else { return .button(note, isDown: isDown) }
        return .strip(button, Int(note & 0x07), isDown: isDown)
    }

    /// Returns the message that moves a fader.
    static func fader(_ strip: Int, _ position: Int) -> MIDIMessage {
        .pitchBend(channel: UInt8(strip), value: UInt16(min(fullScale, max(0, position))))
    }

    /// Returns the message that switches a button's lamp.
    static func lamp(_ note: UInt8, _ isOn: Bool) -> MIDIMessage {
        isOn ? .noteOn(channel: 0, note: note, velocity: 127) : .noteOff(channel: 0, note: note, velocity: 0)
    }

    /// Shape in which a ring shows a position.
    enum Ring: UInt8 { case dot = 0, fromMiddle = 1, fromLeft = 2, fromCentreBothWays = 3 }

    /// Returns the message for the ring of a knob. `position`: 0…1; nil switches the ring off.
    static func ring(_ strip: Int, _ position: Double?, _ shape: Ring) -> MIDIMessage {
        let lamp = position.map { 1 + UInt8(Int(clamping: $0 * 10, to: 0...10)) } ?? 0
        return .controller(
            channel: 0, number: ring + UInt8(strip), value: position == nil ? 0 : shape.rawValue << 4 | lamp)
    }

    /// Returns the message that writes seven characters into the upper or lower line of a strip. `extender`: whether
    /// the device is an extender.
    static func text(_ text: String, strip: Int, line: Int, extender: Bool) -> MIDIMessage {
        let place = UInt8(line * stripCount * width + strip * width)
        let model: UInt8 = extender ? 0x15 : 0x14
        return .system([0xF0, 0x00, 0x00, 0x66, model, 0x12, place] + characters(text) + [0xF7])
    }

    /// Returns exactly seven bytes of ASCII. The last one is a space, which separates neighbours. Letters with accents
    /// become their base letter, and a minus sign becomes `-`; other characters become `?`.
    static func characters(_ text: String) -> [UInt8] {
        let plain = text.decomposedStringWithCanonicalMapping.unicodeScalars.filter {
            $0.properties.generalCategory != .nonspacingMark
        }
        let bytes = plain.prefix(width - 1).map { scalar -> UInt8 in
            switch scalar {
            case "\u{2212}": UInt8(ascii: "-")
            case " "..."~": UInt8(scalar.value)
            default: UInt8(ascii: "?")
            }
        }
        return bytes + Array(repeating: UInt8(ascii: " "), count: width - bytes.count)
    }
}
