/// A message of a session to the terminal.
package enum SessionRemark: Sendable, Equatable {
    /// The preparation step before the first sound, as `the room 'studio'`.
    case preparing(String)
    /// Preparation is complete, and the stage plays.
    case ready
    /// A notice for the listener, one sentence.
    case note(String)
}
