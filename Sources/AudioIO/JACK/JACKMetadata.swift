import CJACK

/// Metadata with the keys of <https://jackaudio.org/metadata>. Patchbays use them to label and sort ports.
enum JACKMetadata {
    private static let prettyName = "http://jackaudio.org/metadata/pretty-name"
    private static let order = "http://jackaudio.org/metadata/order"
    private static let portGroup = "http://jackaudio.org/metadata/port-group"
    private static let eventTypes = "http://jackaudio.org/metadata/event-types"
    private static let signalType = "http://jackaudio.org/metadata/signal-type"
    /// Key of the client's session state, for which JACK defines no key. The project owns no domain for an `http` key.
    /// The key therefore has the `x-` form, which no registry will ever assign (RFC 3406, 3.1).
    private static let state = "urn:x-proscenium:state"
    private static let integer = "http://www.w3.org/2001/XMLSchema#integer"

    /// Sets the metadata of a port, and returns whether the server accepted the display name. A server without metadata
    /// is no error.
    @discardableResult
    static func describe(
        _ port: OpaquePointer, of client: OpaquePointer, prettyName name: String, group: String, order index: Int
    ) -> Bool {
        let subject = jack_port_uuid(port)
        let isTaken = JACKRequest.setProperty(client, subject, prettyName, name, "text/plain")
        JACKRequest.setProperty(client, subject, order, String(index), integer)
        JACKRequest.setProperty(client, subject, portGroup, group, "text/plain")
        JACKRequest.setProperty(client, subject, signalType, "AUDIO", "text/plain")
        return isTaken
    }

    /// Sets the metadata of the MIDI ports. `index` is the order number of the first one.
    static func describe(_ ports: StageEventPorts, of client: OpaquePointer, after index: Int) {
        for (place, (port, name)) in [(ports.input, "Control"), (ports.output, "Control Feedback")].enumerated() {
            let subject = jack_port_uuid(port)
            JACKRequest.setProperty(client, subject, prettyName, name, "text/plain")
            JACKRequest.setProperty(client, subject, order, String(index + place), integer)
            JACKRequest.setProperty(client, subject, portGroup, "Control", "text/plain")
            JACKRequest.setProperty(client, subject, eventTypes, "MIDI", "text/plain")
        }
    }

    /// Publishes the session's state as metadata of the client, in JSON.
    static func publish(state text: String, of client: OpaquePointer, name: String) {
        guard let subject = subject(of: client, name: name) else { return }
        JACKRequest.setProperty(client, subject, state, text, "application/json")
    }

    /// Removes the state from the client's metadata.
    static func forgetState(of client: OpaquePointer) {
        let name = String(cString: jack_get_client_name(client))
        guard let subject = subject(of: client, name: name) else { return }
        JACKRequest.removeProperty(client, subject, state)
    }

    private static func subject(of client: OpaquePointer, name: String) -> jack_uuid_t? {
        guard let text = JACKRequest.identifier(client, ofClient: name) else { return nil }
        defer { jack_free(text) }
        var subject: jack_uuid_t = 0
        return jack_uuid_parse(text, &subject) == 0 ? subject : nil
    }

    /// Returns the value of a port's key; nil if the port has no such key.
    static func value(_ subject: jack_uuid_t, _ key: String) -> String? {
        var (text, type): (UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?) = (nil, nil)
        guard jack_get_property(subject, key, &text, &type) == 0, let text else { return nil }
        defer {
            jack_free(text)
            if let type { jack_free(type) }
        }
        return String(cString: text)
    }

    /// Removes the metadata of a port.
    static func forget(_ port: OpaquePointer, of client: OpaquePointer) {
        JACKRequest.removeProperties(client, jack_port_uuid(port))
    }
}
