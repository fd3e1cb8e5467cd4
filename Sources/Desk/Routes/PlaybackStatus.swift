import AudioIO
import Stages

/// Output connections and interruptions, as `ctl status --json` and the client's metadata show them.
package struct PlaybackStatus: Codable, Sendable, Equatable {
    /// `playing`; `unconnected`: no ear is connected, and the route is not held; `held`: the route was lost, and the
    /// ears are muted until the user resumes or, by the policy, their connections are back; `paused`: as `playing`, but
    /// an interruption pauses inputs.
    package var state = "unconnected"
    /// Ports to which the left ear is connected.
    package var left: [String] = []
    /// Ports to which the right ear is connected.
    package var right: [String] = []
    /// Lost ports, while held.
    package var lost: [String] = []
    /// Policy for a lost route.
    package var onRouteLoss = RouteLossPolicy.patch
    /// The interruptions in force, oldest first.
    package var interruptions: [InterruptionStatus] = []
    /// Names of the inputs of which no port is connected, effects excepted; nil in JACK's metadata, during a blind
    /// comparison, and in replies of older sessions.
    package var unconnectedInputs: [String]?
}

/// An interruption in force.
package struct InterruptionStatus: Codable, Sendable, Equatable {
    /// Name of the interruption.
    package var name: String
    /// `duck:-12` or `pause`.
    package var effect: String
    /// Whether it ended and its effect stays until the user resumes.
    package var awaitsResume: Bool
}

/// State of a session's route and interruptions.
package struct PlaybackState: Sendable {
    /// Output connections of the ears.
    package var route: OutputRoute
    /// The interruptions in force.
    package var interruptions = Interruptions()
    /// Names of the inputs that began an interruption when a port was connected. A name stays until the input has no
    /// connection, even if the interruption was ended earlier.
    package var connectedInterrupters: Set<String> = []
    /// Status that the present client published last; nil before the first.
    package var published: PlaybackStatus?
    /// State of each input at the last poll.
    package var told: [String: Told] = [:]
    /// Duration of an interval, seconds. Polls are one interval apart, or five while the session is at rest. Urgent
    /// changes do not wait for a poll: the audio thread mutes, and callbacks report events.
    package static let interval = 0.05
    /// Count of consecutive polls that found the output gate closed without a reported loss.
    package var untold = 0
    /// Number of intervals so far, for work that is done less often.
    package var looks = 0
    /// Value of `looks` at which the route is polled next.
    package var nextRouteLook = 0
    /// Value of `looks` at which reappeared ports are next looked for and connected.
    package var nextReturningLook = 0

    /// Reported state of an input.
    package struct Told: Sendable, Equatable {
        /// Whether the input is placed on the stage.
        package var isSpatializing: Bool
        /// Level of the input, dB.
        package var level: Double
        /// The rendition that plays; nil if the input's status has no renditions.
        package var rendition: String?

        /// Creates a state; see the properties.
        package init(isSpatializing: Bool, level: Double, rendition: String? = nil) {
            (self.isSpatializing, self.level, self.rendition) = (isSpatializing, level, rendition)
        }
    }

    /// Creates the state of a session whose ears are not connected yet.
    package init(policy: RouteLossPolicy) { route = OutputRoute(policy: policy) }

    /// The status for clients that watch.
    package var status: PlaybackStatus {
        func ports(_ ear: String) -> [String] { route.links.filter { $0.from.hasSuffix(ear) }.map(\.to) }
        let state = route.state == .playing && interruptions.isPausing ? "paused" : route.state.rawValue
        return PlaybackStatus(
            state: state, left: ports("out_L"), right: ports("out_R"), lost: route.lost.map(\.to),
            onRouteLoss: route.policy,
            interruptions: interruptions.all.map {
                InterruptionStatus(name: $0.name, effect: $0.effect.description, awaitsResume: $0.lingers)
            })
    }
}
