/// What a control surface can ask of a preview, beside all that it can ask of a session.
package enum PlayerCommand: Sendable, Equatable {
    /// Goes to so many seconds into the file.
    case go(to: Double)
    /// Moves by so many seconds, within the file.
    case seek(by: Double)
    /// Pauses, goes on, or (nil) does the other.
    case pause(Bool?)
    /// Goes to a file further on (or back, < 0) in the list.
    case skip(Int)

    /// Seconds that can be asked for: no file is longer.
    package static let seconds = -1e6...1e6
}
