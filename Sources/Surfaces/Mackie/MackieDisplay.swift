/// What a Mackie Control shows beside its faders, so that only what changes is sent.
struct MackieDisplay: Sendable {
    private var lamps: [UInt8: Bool] = [:]
    private var rings: [Int: MIDIMessage] = [:]
    private var texts: [Int: String] = [:]

    /// Lights a lamp or puts it out.
    mutating func lamp(_ note: UInt8, _ isOn: Bool) -> [MIDIMessage] {
        guard lamps[note] != isOn else { return [] }
        lamps[note] = isOn
        return [MackieWire.lamp(note, isOn)]
    }

    /// Shows a knob's position.
    mutating func ring(_ strip: Int, _ position: Double?, _ shape: MackieWire.Ring) -> [MIDIMessage] {
        let message = MackieWire.ring(strip, position, shape)
        guard rings[strip] != message else { return [] }
        rings[strip] = message
        return [message]
    }

    /// Writes into a strip's line.
    mutating func text(_ text: String, strip: Int, line: Int, extender: Bool) -> [MIDIMessage] {
        let place = line * MackieWire.stripCount + strip
        guard texts[place] != text else { return [] }
        texts[place] = text
        return [MackieWire.text(text, strip: strip, line: line, extender: extender)]
    }
}
