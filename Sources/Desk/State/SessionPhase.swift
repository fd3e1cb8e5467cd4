/// How far a session has come.
package enum SessionPhase: String, Codable, Sendable {
    /// What it is to play is being prepared; nothing is heard yet.
    case starting
    /// It plays.
    case running
    /// Its JACK server is gone or runs at another rate; it plays again when a stage stands there.
    case recovering
    /// It was asked to end, or cannot go on.
    case ending
}
