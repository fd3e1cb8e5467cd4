/// Connections to restore after the loss of a server: the present ones, and those that were removed shortly before.
///
/// A dying server removes connections one by one before it reports its end. A server that still makes connections is
/// alive. The earlier removals were then intended, and these connections are not restored. It is a value without
/// references; times are arguments, seconds of any clock.
package struct StandingConnections: Sendable {
    /// Time for which a removed connection still has to be restored, seconds. When PipeWire ends, it removes its
    /// objects one after the other, which takes time on a busy machine.
    package static let grace = 2.0

    /// The connections as last seen.
    private(set) var present: [JACKLink] = []
    /// Connections that were removed within the last `grace` seconds, with the times of removal.
    private var gone: [(link: JACKLink, at: Double)] = []

    /// Updates the connections from those that are present now.
    mutating func see(_ links: [JACKLink], at time: Double) {
        let isAlive = links.contains { !present.contains($0) }
        gone =
            isAlive
            ? []
            : gone.filter { time - $0.at <= Self.grace } + present.filter { !links.contains($0) }.map { ($0, time) }
        present = links
    }

    /// Returns the connections to restore: those present at the loss, and those removed just before.
    func wanted(at time: Double) -> [JACKLink] {
        present + gone.filter { time - $0.at <= Self.grace }.map(\.link)
    }
}
