/// One JACK port of the stage: its symbolic name, which sessions and scripts rely on, and what patchbays show.
package struct StagePort: Hashable, Sendable {
    /// The short name: `FL` becomes `in_FL`. ASCII letters, digits, `_`, `-`.
    package var symbol: String
    /// The name for people, as the port's pretty-name metadata.
    package var prettyName: String
    /// What patchbays show it together with, as `7.1.4`.
    package var group: String
    /// An input with a look-ahead is taken by a client of its own, so that one that dies before it does not hold up the
    /// stage: the end of that client's name, as `main`; nil: by the stage's own.
    package var relay: String?

    /// A port.
    package init(symbol: String, prettyName: String, group: String, relay: String? = nil) {
        self.symbol = symbol
        self.prettyName = prettyName
        self.group = group
        self.relay = relay
    }
}

/// A connection of two ports, by their names.
package struct JACKLink: Hashable, Sendable {
    /// The port that gives.
    package var from: String
    /// The port that takes.
    package var to: String

    /// A connection.
    package init(from: String, to: String) {
        self.from = from
        self.to = to
    }
}
