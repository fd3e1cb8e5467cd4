/// What a session has to say to the person at the terminal.
package enum SessionRemark: Sendable, Equatable {
    /// What is being done before the first sound, as `the room 'studio'`.
    case preparing(String)
    /// All is prepared, and plays.
    case ready
    /// Something that happened and that the listener should know, one sentence.
    case note(String)
}
