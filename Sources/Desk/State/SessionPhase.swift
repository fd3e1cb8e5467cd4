/// The phases of a session.
package enum SessionPhase: String, Codable, Sendable {
    /// The stage is being prepared; there is no sound yet.
    case starting
    /// The stage plays.
    case running
    /// The JACK server is gone or runs at another rate; playback resumes once a new stage is ready.
    case recovering
    /// The session was stopped, or cannot continue.
    case ending
}

/// A message of a session to the terminal.
package enum SessionRemark: Sendable, Equatable {
    /// The step in preparation, for example `preparing the room 'studio'`.
    case preparing(String)
    /// Preparation is complete, and the stage plays.
    case ready
    /// A notice for the listener, one sentence.
    case note(String)
}
