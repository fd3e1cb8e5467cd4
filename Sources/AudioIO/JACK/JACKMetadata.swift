import CJACK

/// Port metadata by the keys of <https://jackaudio.org/metadata>: what patchbays show and sort by.
enum JACKMetadata {
    private static let prettyName = "http://jackaudio.org/metadata/pretty-name"
    private static let order = "http://jackaudio.org/metadata/order"
    private static let portGroup = "http://jackaudio.org/metadata/port-group"
    private static let signalType = "http://jackaudio.org/metadata/signal-type"
    private static let integer = "http://www.w3.org/2001/XMLSchema#integer"

    /// Describes a port. Metadata is a courtesy: a server that keeps none is no error.
    static func describe(
        _ port: OpaquePointer, of client: OpaquePointer, prettyName name: String, group: String, order index: Int
    ) {
        let subject = jack_port_uuid(port)
        _ = jack_set_property(client, subject, prettyName, name, "text/plain")
        _ = jack_set_property(client, subject, order, String(index), integer)
        _ = jack_set_property(client, subject, portGroup, group, "text/plain")
        _ = jack_set_property(client, subject, signalType, "AUDIO", "text/plain")
    }

    /// Takes back what was said of a port.
    static func forget(_ port: OpaquePointer, of client: OpaquePointer) {
        _ = jack_remove_properties(client, jack_port_uuid(port))
    }
}
