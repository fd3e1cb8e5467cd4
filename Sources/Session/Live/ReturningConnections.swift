import AudioIO

/// Connections of a server that went, until they stand again on the one that came back.
///
/// Each is made as soon as both its ports are there, and again where it goes within some seconds: a session manager
/// that sets a card up takes its ports away and puts them back. Once it has stood that long it is its users' alone. A
/// pure value; time is an argument, seconds of any clock.
struct ReturningConnections: Sendable, Equatable {
    /// Seconds for which a connection must have stood, or may be refused though both its ports are there.
    static let settling = 3.0

    private struct Returning: Sendable, Equatable {
        var link: JACKLink
        /// Since when it stands; nil while it was never seen.
        var madeAt: Double?
        /// When it is given up, being refused; nil while that did not happen.
        var givenUpAt: Double?
    }

    private var all: [Returning] = []
    /// Seconds that each must stand.
    private var patience = Self.settling

    /// Those that do not stand yet, or not for long.
    var links: [JACKLink] { all.map(\.link) }

    /// Whether there are any.
    var isEmpty: Bool { all.isEmpty }

    /// None.
    init() {}

    /// All of them. `areSetUp`: with a server that is back, whose cards may be set up meanwhile;
    /// else each is made once.
    init(_ links: [JACKLink], areSetUp: Bool) {
        all = links.map { Returning(link: $0) }
        patience = areSetUp ? Self.settling : 0
    }

    /// What is to be connected now; `present`: the connections there are.
    mutating func due(present: [JACKLink], at time: Double, portExists: (String) -> Bool) -> [JACKLink] {
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

    /// These were refused though both their ports are there.
    mutating func refuse(_ links: [JACKLink], at time: Double) {
        for index in all.indices where links.contains(all[index].link) && all[index].givenUpAt == nil {
            all[index].givenUpAt = time + Self.settling
        }
    }
}
