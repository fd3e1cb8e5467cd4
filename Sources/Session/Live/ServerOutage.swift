import AudioIO

/// Outage: the loss of the server, or a change of the server's rate, with the schedule of the searches for the server.
struct ServerOutage {
    /// Start of the outage, seconds of the session's clock.
    let since: Double
    /// Connections of this client before the outage, with lost ones that were to be restored; and the client's name.
    let links: [JACKLink]
    let client: String
    /// Time of the next search, and the time from that search to the following one, seconds. The latter grows from 0.25
    /// s to 3 s.
    var nextLook: Double
    var patience = 0.25
    /// Failure of the last attempt with a server that answered, and the failure that was noted last, so that a failure
    /// is not noted twice in a row.
    var failure: String?, told: String?
    /// Number of threads that search for the server, and the time at which the newest started. While a server hangs,
    /// such a thread waits for its answer.
    var looks = 0, lookedAt = 0.0
    /// Whether the server is back and a stage is being built for it.
    var isBuilding = false
    /// Whether the server only changed its rate: a failure to build the stage then ends the session.
    var isOfRate = false

    /// Whether a search for the server is in progress.
    var isLooking: Bool { looks > 0 }

    /// Returns whether a search is due and may start: not while a stage is being built. A second and a third search in
    /// parallel start only if the previous one has had no answer for ten seconds.
    func mayLook(at now: Double) -> Bool {
        !isBuilding && now >= nextLook && (looks == 0 || looks < 3 && now - lookedAt > 10)
    }

    /// Reason for the refusal of commands that need a server.
    var refusal: String {
        isBuilding || isOfRate
            ? "the stage is being prepared anew for the JACK server; ask again"
            : "the JACK server is gone; ask again when it is back"
    }
}
