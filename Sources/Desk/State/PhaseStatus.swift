/// The state of a session that has no stage yet, or none any more, as `ctl status --json` shows it.
package struct PhaseStatus: Codable, Sendable, Equatable {
    /// How far it has come.
    package var phase: SessionPhase
    /// What is being prepared, as `preparing the room 'studio'`; nil: that is not known.
    package var preparing: String?
    /// Seconds for which that has been going on.
    package var preparingFor: Double?
    /// What came in through the doors; nil in answers that do not come through the queue of commands.
    package var control: ControlCounts?

    /// A phase, and what is prepared in it.
    package init(_ phase: SessionPhase, preparing: String? = nil, for seconds: Double? = nil) {
        (self.phase, self.preparing, preparingFor) = (phase, preparing, seconds)
    }

    /// The same in words: `starting: preparing the room 'studio'`.
    package var words: String { phase.rawValue + (preparing.map { ": " + $0 } ?? "") }
}
