import CJACK

/// What a port is registered with.
struct JACKPortKind {
    var flag: JackPortFlags
    var type: String

    /// A port that takes sound, one that gives it, and those for MIDI.
    static let input = JACKPortKind(flag: JackPortIsInput, type: "32 bit float mono audio")
    static let output = JACKPortKind(flag: JackPortIsOutput, type: "32 bit float mono audio")
    static let events = JACKPortKind(flag: JackPortIsInput, type: StageMIDI.portType)
    static let eventsOut = JACKPortKind(flag: JackPortIsOutput, type: StageMIDI.portType)

    /// Registers such a port; nil where the server has none left.
    func register(_ name: String, of client: OpaquePointer) -> OpaquePointer? {
        jack_port_register(client, name, type, UInt(flag.rawValue), 0)
    }
}
