/// The state of a session before it has a stage, or after its stage has gone, as `ctl status --json` shows it.
package struct PhaseStatus: Codable, Sendable, Equatable {
    /// The phase of the session.
    package var phase: SessionPhase
    /// The step in preparation, for example `preparing the room 'studio'`; nil if none is known, and in the phase
    /// `ending`.
    package var preparing: String?
    /// Seconds since that step began.
    package var preparingFor: Double?
    /// Counts of commands and messages on the control interfaces; nil in replies that bypass the command queue.
    package var control: ControlCounts?

    /// Creates a status of a phase and its step in preparation.
    package init(_ phase: SessionPhase, preparing: String? = nil, for seconds: Double? = nil) {
        (self.phase, self.preparing, preparingFor) = (phase, preparing, seconds)
    }

    /// The status in words: `starting: preparing the room 'studio'`.
    package var words: String { phase.rawValue + (preparing.map { ": " + $0 } ?? "") }
}
