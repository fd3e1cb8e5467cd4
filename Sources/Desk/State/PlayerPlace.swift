import Stages
import Synchronization

/// File and position of a preview, as values of the state; empty in other sessions. All functions may be called on any
/// thread.
package final class PlayerPlace: Sendable {
    private struct Told {
        var facts: [String: ParameterValue] = [:]
        var number = 0
        var place: (seconds: Double, duration: Double)?
        var hearsJump: (@Sendable (Double) -> Void)?
    }
    private let told = Mutex(Told())

    /// Values by address; each address begins with `player/`. Empty if nothing plays.
    package var facts: [String: ParameterValue] { told.withLock { $0.facts } }

    /// Exact position in the file and its length, seconds; nil if nothing plays.
    package var place: (seconds: Double, duration: Double)? { told.withLock { $0.place } }

    /// Calls `listener` with the new position in seconds after each jump within a file, on the thread that calls
    /// `enter`. `listener` must return quickly and replaces a former one; nil ends the calls.
    package func hearJumps(_ listener: (@Sendable (Double) -> Void)?) { told.withLock { $0.hearsJump = listener } }

    /// Sets the values that the state includes from its next poll on: path of the file, its number from 1, count of
    /// files, position and length in seconds, whether playback is paused, whether the list repeats, gain of the player
    /// in dB. `hasJumped`: whether a command moved the position. A step back in the same file, for example in a list
    /// that repeats, counts as a jump too.
    package func enter(
        _ file: (path: String, number: Int, count: Int), seconds: Double, duration: Double, isPaused: Bool, loops: Bool,
        gain: Double, hasJumped: Bool = false
    ) {
        let facts: [String: ParameterValue] = [
            "player/file": .word(file.path), "player/number": .number(Double(file.number)),
            "player/count": .number(Double(file.count)),
            // Whole seconds: the exact position would send a change at every poll.
            "player/seconds": .number(seconds.rounded(.down)), "player/duration": .number(duration.rounded(.down)),
            "player/paused": .isOn(isPaused), "player/loops": .isOn(loops), "player/gain": .number(gain),
        ]
        let hearsJump = told.withLock { told -> (@Sendable (Double) -> Void)? in
            let isBack = told.place.map { seconds < $0.seconds } ?? false
            defer { (told.facts, told.number, told.place) = (facts, file.number, (seconds, duration)) }
            return told.number == file.number && (hasJumped || isBack) ? told.hearsJump : nil
        }
        hearsJump?(seconds)
    }

    /// Clears the values: nothing plays.
    package func leave() { told.withLock { ($0.facts, $0.number, $0.place) = ([:], 0, nil) } }
}
