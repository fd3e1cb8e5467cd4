import AudioIO

/// What a session keeps of its route and its interruptions.
struct PlaybackState: Sendable {
    /// Where the ears go.
    var route: OutputRoute
    /// Who has the stage.
    var interruptions = Interruptions()
    /// Inputs that interrupt by being connected, and those of them that do.
    var connectedInterrupters: Set<String> = []
    /// The closing of the gate that a resume undoes.
    var closing: Int?
    /// What was published last.
    var published = PlaybackStatus()
    /// What was last told of each input.
    var told: [String: Told] = [:]
    /// Seconds between two looks. What must be quick does not wait for them: the audio thread mutes, and events tell.
    static let interval = 0.05
    /// Looks since the audio thread muted, which nobody has told the reason of.
    var untold = 0
    /// Looks taken, for what is worth to do only in every so many.
    var looks = 0

    /// What was told of an input.
    struct Told: Sendable, Equatable {
        var isSpatializing: Bool
        var level: Double
        var rendition: String?
    }

    init(policy: RouteLossPolicy) { route = OutputRoute(policy: policy) }

    /// The state for whoever watches.
    var status: PlaybackStatus {
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
