import AudioIO
import Stages

/// What plays where, as `ctl status --json` and the client's metadata show it.
package struct PlaybackStatus: Codable, Sendable, Equatable {
    /// `playing`; `unconnected`: no ear is connected, and none is held; `held`: the route was lost, muted until the
    /// user resumes or, by the policy, the same ports are back;
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
    /// The interruptions that have the stage, oldest first.
    package var interruptions: [InterruptionStatus] = []
}

/// An interruption that has the stage.
package struct InterruptionStatus: Codable, Sendable, Equatable {
    /// How it is called.
    package var name: String
    /// `duck:-12` or `pause`.
    package var effect: String
    /// It ended, and what it did stays until the user resumes.
    package var awaitsResume: Bool
}

/// What a session keeps of its route and its interruptions.
package struct PlaybackState: Sendable {
    /// Where the ears go.
    package var route: OutputRoute
    /// The interruptions that have the stage.
    package var interruptions = Interruptions()
    /// Names of the inputs that interrupt at the moment because something is connected to them.
    package var connectedInterrupters: Set<String> = []
    /// What the present client has published last; nil: nothing.
    package var published: PlaybackStatus?
    /// What was last told of each input.
    package var told: [String: Told] = [:]
    /// Seconds between two looks. What must be quick does not wait for them: the audio thread mutes, and events tell.
    package static let interval = 0.05
    /// Looks in a row that found the gate closed with no loss told.
    package var untold = 0
    /// Looks taken, for what is worth to do only in every so many.
    package var looks = 0

    /// What was told of an input.
    package struct Told: Sendable, Equatable {
        /// Whether it is placed on the stage.
        package var isSpatializing: Bool
        /// Its level, dB.
        package var level: Double
        /// The rendition that plays; nil where it has one alone.
        package var rendition: String?

        /// All of it; see the properties.
        package init(
            isSpatializing: Bool, level: Double, rendition: String? = nil
        ) {
            (self.isSpatializing, self.level, self.rendition) = (isSpatializing, level, rendition)
        }
    }

    /// Playback whose ears are not connected yet.
    package init(policy: RouteLossPolicy) { route = OutputRoute(policy: policy) }

    /// The state for clients that watch.
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
