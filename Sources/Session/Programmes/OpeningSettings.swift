import Soundstage

/// How stereo is opened into the stage of a session, in the words of the command line.
package struct OpeningSettings: Sendable, Hashable {
    /// Which law is kept, see `Documentation/upmix.md`.
    package enum Mode: String, Sendable, CaseIterable { case identity, energy }
    /// How far the masks look ahead: as a player may, or live.
    package enum Latency: String, Sendable, CaseIterable { case player, live }
    /// What becomes of a programme in one channel.
    package enum Mono: String, Sendable, CaseIterable { case centre, wide }

    /// Which law is kept, or none opened; nil: opened only where the main programme has two renditions.
    package var mode: Mode?
    /// No upmix, even of a stereo rendition.
    package var isOff = false
    /// The layout stereo is opened into, where the session's is not wider.
    package var layout = "5.1"
    /// How far the upmix may look ahead.
    package var latency = Latency.live
    /// What becomes of a programme in one channel.
    package var mono = Mono.centre
    /// Amounts, 0…1.
    package var centre = 1.0, width = 0.0, ambience = 1.0

    /// As usual.
    package init() {}

    /// The law kept where there is an upmix: `identity` unless chosen.
    var law: Mode { mode ?? .identity }

    /// The same, as the engine takes it.
    var plan: UpmixPlan {
        UpmixPlan(
            mode: law == .energy ? .energy : .identity, latency: latency == .player ? .player : .live,
            mono: mono == .wide ? .wide : .centre)
    }

    /// The amounts, as the engine takes them.
    var amounts: UpmixControls {
        UpmixControls(centre: Float(centre), width: Float(width), ambience: Float(ambience))
    }
}
