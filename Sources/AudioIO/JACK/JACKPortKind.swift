import CJACK

/// Flag and type with which a port is registered.
struct JACKPortKind {
    var flag: JackPortFlags
    var type: String

    /// The kinds: audio input, audio output, MIDI input, MIDI output.
    static let input = JACKPortKind(flag: JackPortIsInput, type: "32 bit float mono audio")
    static let output = JACKPortKind(flag: JackPortIsOutput, type: "32 bit float mono audio")
    static let events = JACKPortKind(flag: JackPortIsInput, type: StageMIDI.portType)
    static let eventsOut = JACKPortKind(flag: JackPortIsOutput, type: StageMIDI.portType)

    /// Registers a port of this kind. Returns nil if the server refuses it (see `refusal`).
    func register(_ name: String, of client: OpaquePointer) -> OpaquePointer? {
        JACKRequest.registerPort(client, name, type, UInt(flag.rawValue))
    }

    /// Returns the cause of a refused port: the server no longer answers the client, or it has no port left.
    static func refusal(by client: OpaquePointer, registered: Int, wanted: Int) -> JACKError {
        guard let uuid = JACKRequest.identifier(client, ofClient: String(cString: jack_get_client_name(client))) else {
            return .serverGone
        }
        jack_free(uuid)
        return .noMorePorts(registered: registered, wanted: wanted)
    }
}
