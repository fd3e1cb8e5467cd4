import Stages
import Synchronization

/// File and position of a preview, as values of the state for all doors; empty in other sessions. Any thread.
package final class PlayerPlace: Sendable {
    private let told = Mutex<[String: ParameterValue]>([:])

    /// Values by address; each address begins with `player/`.
    package var facts: [String: ParameterValue] { told.withLock { $0 } }

    /// Sets the values that the state takes up at its next look: path of the file, its number from 1, count of files,
    /// position and length in seconds, whether playback is paused, whether the list repeats, gain of the player in dB.
    package func enter(
        _ file: (path: String, number: Int, count: Int), seconds: Double, duration: Double, isPaused: Bool, loops: Bool,
        gain: Double
    ) {
        let facts: [String: ParameterValue] = [
            "player/file": .word(file.path), "player/number": .number(Double(file.number)),
            "player/count": .number(Double(file.count)),
            // Whole seconds: the exact position would send a change at every look.
            "player/seconds": .number(seconds.rounded(.down)), "player/duration": .number(duration.rounded(.down)),
            "player/paused": .isOn(isPaused), "player/loops": .isOn(loops), "player/gain": .number(gain),
        ]
        told.withLock { $0 = facts }
    }

    /// Clears the values: nothing plays.
    package func leave() { told.withLock { $0 = [:] } }
}
