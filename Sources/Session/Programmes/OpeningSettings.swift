import Soundstage

/// How stereo is upmixed into the stage of a session.
package struct OpeningSettings: Sendable, Hashable {
    /// Which law is kept, see `Documentation/upmix.md`; nil: stereo is upmixed only where the main programme has two renditions.
    package var mode: UpmixMode?
    /// No upmix, even of a stereo rendition.
    package var isOff = false
    /// The layout stereo is upmixed to, where the session's is not wider.
    package var layout = "5.1"
    /// How far the upmix may look ahead.
    package var latency = UpmixLatency.live
    /// What becomes of a programme in one channel.
    package var mono = MonoPlacement.centre
    /// How far it goes.
    package var amounts = UpmixControls()

    /// As usual.
    package init() {}

    /// The law kept where there is an upmix: `identity` unless chosen.
    var law: UpmixMode { mode ?? .identity }

    /// The same, as the engine takes it.
    var plan: UpmixPlan { UpmixPlan(mode: law, latency: latency, mono: mono) }

    /// Takes what is said of the amounts by the table of parameters; all else is left.
    package mutating func take(_ changes: [ParameterChange]) {
        for change in changes {
            if case .upmix(let set) = Parameter.named(change.parameter)?.effect { set(&amounts, change.value) }
        }
    }
}
