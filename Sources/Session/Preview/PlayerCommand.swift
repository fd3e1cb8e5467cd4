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
    /// Lets the list begin again when it ends, or not, or (nil) the other of the two.
    case loop(Bool?)
    /// Changes the player's gain by so many dB; it stays within −60…20 dB.
    case gain(by: Double)

    /// dB that the gain can be changed by at a time.
    package static let gains = -80.0...80
    /// Seconds that can be asked for: no file is longer.
    package static let seconds = -1e6...1e6
}
