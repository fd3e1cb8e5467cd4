/// One JACK port of the stage. Sessions and scripts rely on its symbol; patchbays use its metadata.
package struct StagePort: Hashable, Sendable {
    /// Symbol of the port: `FL` becomes `in_FL`. It consists of ASCII letters, digits, `_` and `-`.
    package var symbol: String
    /// Name for display. It is the port's pretty-name metadata.
    package var prettyName: String
    /// Port group in patchbays, such as `7.1.4`.
    package var group: String
    /// Suffix of the name of the separate client (`JACKRelay`) that has the port, such as `main`, for an input with a
    /// look-ahead (`--hold`). Nil if the stage's own client has the port.
    package var relay: String?

    /// Makes a port; see the properties.
    package init(symbol: String, prettyName: String, group: String, relay: String? = nil) {
        self.symbol = symbol
        self.prettyName = prettyName
        self.group = group
        self.relay = relay
    }
}

/// A connection of two ports, by their names.
package struct JACKLink: Hashable, Sendable {
    /// The output port.
    package var from: String
    /// The input port.
    package var to: String

    /// Makes a connection from `from` to `to`.
    package init(from: String, to: String) {
        self.from = from
        self.to = to
    }
}
