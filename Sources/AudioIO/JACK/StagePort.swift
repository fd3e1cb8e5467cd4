/// One JACK port of the stage: its symbol, which sessions and scripts rely on, and its metadata for patchbays.
package struct StagePort: Hashable, Sendable {
    /// Symbol of the port: `FL` becomes `in_FL`. ASCII letters, digits, `_`, `-`.
    package var symbol: String
    /// Display name, the port's pretty-name metadata.
    package var prettyName: String
    /// Port group in patchbays, such as `7.1.4`.
    package var group: String
    /// Suffix of the relay client's name, such as `main`, for an input with a look-ahead: a dead client before the
    /// relay does not block the stage. nil: the stage's own client has the port.
    package var relay: String?

    /// Sets all fields.
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

    /// Connects `from` to `to`.
    package init(from: String, to: String) {
        self.from = from
        self.to = to
    }
}
