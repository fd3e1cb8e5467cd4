import AudioIO

/// A server that went, or runs at another rate: since when, and when it is looked for again.
struct ServerOutage {
    /// Seconds of the session's clock.
    let since: Double
    /// The connections there were, of this client.
    let links: [JACKLink]
    let client: String
    /// When it is looked for, and how long after that again: from a quarter of a second to three.
    var nextLook: Double
    var patience = 0.25
    /// What was in the way of the last attempt though there was a server, and what was told of it,
    /// so that it is told once.
    var failure: String?, told: String?
    /// How many threads ask whether it is there, and since when the newest:
    /// one that stands still answers when it goes on.
    var looks = 0, lookedAt = 0.0
    /// Whether the server is there and a stage is being built for it.
    var isBuilding = false
    /// Whether it only runs at another rate: a stage that cannot be had then ends the session.
    var isOfRate = false

    /// Whether it is being asked whether it is there.
    var isLooking: Bool { looks > 0 }

    /// Whether it may be asked at a time: again where an answer has not come for ten seconds, three times at most.
    func mayLook(at now: Double) -> Bool {
        !isBuilding && now >= nextLook && (looks == 0 || looks < 3 && now - lookedAt > 10)
    }

    /// Why nothing is done that needs a server.
    var refusal: String {
        isBuilding || isOfRate
            ? "the stage is being prepared anew for the JACK server; ask again"
            : "the JACK server is gone; ask again when it is back"
    }
}
