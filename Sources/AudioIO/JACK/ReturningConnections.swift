/// Connections to restore after the loss of a server, or when the players of a saved session return.
///
/// A connection is made as soon as both its ports exist. It is made again if it breaks within some seconds, because a
/// session manager that sets up a sound card removes the card's ports and adds them again. After that time the user has
/// to restore it. The list is a value without references; times are arguments, seconds of any clock.
package struct ReturningConnections: Sendable, Equatable {
    /// Time for which a connection must last, seconds. A connection may also be refused for this time although both its
    /// ports exist.
    package static let settling = 3.0

    private struct Returning: Sendable, Equatable {
        var link: JACKLink
        /// Time at which the connection was first found present; nil before.
        var madeAt: Double?
        /// Time at which the connection is given up after a refusal; nil without a refusal.
        var givenUpAt: Double?
    }

    private var all: [Returning] = []
    /// Time for which each connection must last, seconds.
    private var patience = Self.settling

    /// Connections that are not restored yet, or have not lasted long enough.
    package var links: [JACKLink] { all.map(\.link) }

    /// Whether no connection is left.
    package var isEmpty: Bool { all.isEmpty }

    /// Makes an empty list.
    package init() {}

    /// Makes a list of connections. `areSetUp` says whether the server has just returned and may still be setting up
    /// its cards. If not, each connection is made only once.
    package init(_ links: [JACKLink], areSetUp: Bool) {
        all = links.map { Returning(link: $0) }
        patience = areSetUp ? Self.settling : 0
    }

    /// Adds a connection, unless it is already in the list.
    package mutating func add(_ link: JACKLink) {
        if !links.contains(link) { all.append(Returning(link: link)) }
    }

    /// Returns the connections to make now. `present` has the existing connections.
    package mutating func due(present: [JACKLink], at time: Double, portExists: (String) -> Bool) -> [JACKLink] {
        let standing = Set(present)
        var due: [JACKLink] = []
        for index in all.indices where standing.contains(all[index].link) && all[index].madeAt == nil {
            all[index].madeAt = time
        }
        all.removeAll { ($0.madeAt ?? time) + patience < time || ($0.givenUpAt ?? time) < time }
        for returning in all where !standing.contains(returning.link) {
            if portExists(returning.link.from), portExists(returning.link.to) { due.append(returning.link) }
        }
        return due
    }

    /// Records connections that were refused although both their ports exist.
    package mutating func refuse(_ links: [JACKLink], at time: Double) {
        for index in all.indices where links.contains(all[index].link) && all[index].givenUpAt == nil {
            all[index].givenUpAt = time + Self.settling
        }
    }
}
