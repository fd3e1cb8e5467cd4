import Foundation

/// What plays where, as `ctl status --json` and the client's metadata show it.
package struct PlaybackStatus: Codable, Sendable, Equatable {
    /// `playing`; `unconnected`: no ear is connected, and none is held; `held`: the route was lost, muted until the user resumes or, by
    /// the policy, the same ports are back;
    /// `paused`: an interruption silences what is interrupted.
    package var state = "unconnected"
    /// The ports the left ear goes to.
    package var left: [String] = []
    /// The ports the right ear goes to.
    package var right: [String] = []
    /// The ports that were lost, while held.
    package var lost: [String] = []
    /// What happens when the route is lost.
    package var onRouteLoss = RouteLossPolicy.patch
    /// Who has the stage, oldest first.
    package var interruptions: [InterruptionStatus] = []

    /// One line of JSON.
    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Texts, switches and finite numbers: encoding them cannot fail; an empty object would be seen at once.
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}

/// One who has the stage.
package struct InterruptionStatus: Codable, Sendable, Equatable {
    /// How it is called.
    package var name: String
    /// `duck:-12` or `pause`.
    package var effect: String
    /// It ended, and what it did stays until the user resumes.
    package var awaitsResume: Bool
}
