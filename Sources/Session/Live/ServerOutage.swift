import AudioIO

/// A server that went: since when, and when it is looked for again.
struct ServerOutage {
    /// Seconds of the session's clock.
    let since: Double
    /// The connections there were, of this client.
    let links: [JACKLink]
    let client: String
    /// When it is looked for, and how long after that again: from a quarter of a second to three.
    var nextLook: Double
    var patience = 0.25
    /// What was last in the way though there is a server, so that it is told once.
    var told: String?
}
