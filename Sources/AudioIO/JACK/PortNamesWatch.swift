/// Decides when the ports' metadata have to be set again. It is a value; times are arguments.
///
/// PipeWire itself keeps no metadata. Its session manager does, and libjack of PipeWire refuses them while there is no
/// session manager. A session manager that is started later, or again, knows none of them and does not ask for them.
struct PortNamesWatch {
    /// Time between two tests while metadata are accepted, seconds.
    static let interval = 5.0

    /// Whether the last test was refused. It is true before the first one.
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
