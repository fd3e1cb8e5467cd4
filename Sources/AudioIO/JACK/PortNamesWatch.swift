/// Decides when the ports' metadata have to be set again. It is a value; times are arguments.
///
/// PipeWire itself stores no metadata; its session manager does. PipeWire's libjack refuses metadata while no session
/// manager runs. A session manager that is started later, or again, has no metadata and does not ask for any.
struct PortNamesWatch {
    /// Time between two tests while metadata are accepted, seconds.
    static let interval = 5.0

    /// Whether metadata were refused at the last test. It is true before the first test.
    private(set) var isMissing = true
    private var next = -Double.infinity

    /// Returns whether all metadata have to be set now. Call at intervals of at most 0.5 s.
    ///
    /// - Parameters:
    ///   - changed: Whether ports or connections changed since the last call.
    ///   - now: Monotonic time, seconds.
    ///   - accepts: Sets one property and returns whether it was accepted.
    mutating func isTime(_ changed: Bool, at now: Double, accepts: () -> Bool) -> Bool {
        guard changed || isMissing || now >= next else { return false }
        next = now + Self.interval
        let wasMissing = isMissing
        isMissing = !accepts()
        return wasMissing && !isMissing
    }
}

/// Access to the metadata of a client's ports, for the supervisor.
struct PortNames: Sendable {
    /// Sets one property; returns whether it was accepted.
    let accepts: @Sendable () -> Bool
    /// Sets all metadata.
    let set: @Sendable () -> Void
}
