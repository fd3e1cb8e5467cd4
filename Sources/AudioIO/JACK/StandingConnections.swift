/// Which connections are wanted when a server is lost: those there are, and those that went a moment before.
///
/// A dying server takes connections down one by one before it says that it dies. One that still makes connections
/// lives, and what went before that was taken away by hand. A pure value; time is an argument, seconds of any clock.
package struct StandingConnections: Sendable {
    /// Seconds for which a connection that went still counts as wanted: PipeWire that is asked to end takes down one
    /// thing after the other, on a crowded machine for some time.
    package static let grace = 2.0

    /// The connections as last seen.
    private(set) var present: [JACKLink] = []
    private var gone: [(link: JACKLink, at: Double)] = []

    /// The connections now are these.
    mutating func see(_ links: [JACKLink], at time: Double) {
        let isAlive = links.contains { !present.contains($0) }
        gone =
            isAlive
            ? []
            : gone.filter { time - $0.at <= Self.grace } + present.filter { !links.contains($0) }.map { ($0, time) }
        present = links
    }

    /// What was wanted when the server was lost: those present then, and those that had just gone.
    func wanted(at time: Double) -> [JACKLink] {
        present + gone.filter { time - $0.at <= Self.grace }.map(\.link)
    }
}
