/// State of the lamps, rings and texts of a Mackie Control, so that only changes are sent.
struct MackieDisplay: Sendable {
    private var lamps: [UInt8: Bool] = [:]
    private var rings: [Int: MIDIMessage] = [:]
    private var texts: [Int: String] = [:]

    /// Returns the messages that switch a lamp.
    mutating func lamp(_ note: UInt8, _ isOn: Bool) -> [MIDIMessage] {
        guard lamps[note] != isOn else { return [] }
        lamps[note] = isOn
        return [MackieWire.lamp(note, isOn)]
    }

    /// Returns whether a lamp is switched on.
    func isLit(_ note: UInt8) -> Bool { lamps[note] == true }

    /// Returns the messages that show the position of a knob.
    mutating func ring(_ strip: Int, _ position: Double?, _ shape: MackieWire.Ring) -> [MIDIMessage] {
        let message = MackieWire.ring(strip, position, shape)
        guard rings[strip] != message else { return [] }
        rings[strip] = message
        return [message]
    }

    /// Returns the messages that write a text into a line of a strip.
    mutating func text(_ text: String, strip: Int, line: Int, extender: Bool) -> [MIDIMessage] {
        let place = line * MackieWire.stripCount + strip
        guard texts[place] != text else { return [] }
        texts[place] = text
        return [MackieWire.text(text, strip: strip, line: line, extender: extender)]
    }
}
