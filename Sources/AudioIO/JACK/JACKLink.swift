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
