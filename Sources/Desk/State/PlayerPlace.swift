import Stages
import Synchronization

/// What a preview plays, for the state that all doors see: empty where the session is no preview's. Any thread.
package final class PlayerPlace: Sendable {
    private let told = Mutex<[String: ParameterValue]>([:])

    /// By address, beginning with `player/`.
    package var facts: [String: ParameterValue] { told.withLock { $0 } }

    /// What stands in the state from its next look on: a file by its path, its number from 1 and of how many, seconds
    /// into it and its length, whether it is paused and the list begins again, the player's gain in dB.
    package func enter(
        _ file: (path: String, number: Int, count: Int), seconds: Double, duration: Double, isPaused: Bool, loops: Bool,
        gain: Double
    ) {
        let facts: [String: ParameterValue] = [
            "player/file": .word(file.path), "player/number": .number(Double(file.number)),
            "player/count": .number(Double(file.count)),
            // Whole seconds: what moves all the time would be told all the time.
            "player/seconds": .number(seconds.rounded(.down)), "player/duration": .number(duration.rounded(.down)),
            "player/paused": .isOn(isPaused), "player/loops": .isOn(loops), "player/gain": .number(gain),
        ]
        told.withLock { $0 = facts }
    }

    /// Nothing plays.
    package func leave() { told.withLock { $0 = [:] } }
}
