import Rendering
import Signal
import Soundstage

/// One input of a running session, as `ctl status --json` shows it.
package struct ProgrammeStatus: Codable, Sendable {
    /// Name; `main` is the input of `--layout`.
    package var name: String
    /// Its layout.
    package var layout: String
    /// Whether it is an effect, which has no ports and is fed by other inputs.
    package var isEffect: Bool
    /// Mode of its stage: `off`, `fixed` or `tracked`.
    package var mode: String
    /// Level, dB, at least −200.
    package var level: Double
    /// Whether it is muted.
    package var isMuted: Bool
    /// Whether it is soloed; whether another solo silences it; whether its polarity is inverted.
    package var isSolo: Bool, isSilenced: Bool, isInverted: Bool
    /// Width of each of its sources, degrees; the layout may set a larger one for a loudspeaker.
    package var width: Double
    /// Gain to its target loudness, dB; 0 without a target.
    package var normalisation: Double
    /// Name of its compression profile.
    package var drc: String
    /// Present gain of normalisation and compression together, dB.
    package var dynamicsGain: Double
    /// Whether its role allows a place on the stage.
    package var canSpatialize: Bool
    /// Whether it is placed on the stage.
    package var isSpatializing: Bool
    /// Whether its multichannel rendition is folded down because the mode or `spatialize` excludes it from the stage.
    package var isMultichannelUnused: Bool
    /// Its renditions and breaks in their sound; nil for a multichannel rendition alone without look-ahead.
    package var renditions: RenditionStatus?
    /// Talkers detected by its Audio Mix; nil without a mix.
    package var talkers: [TalkerStatus]?
    /// The convention (`sn3d`, `n3d`, `fuma`) whose scale its sound field seems to have, if that is not the declared
    /// one; otherwise nil.
    package var heardScale: String?
}

extension ProgrammeRenderer {
    /// Returns the present status, with the measurements of its renditions.
    package func status(_ findings: RenditionWatch.Findings?) -> ProgrammeStatus {
        let (controls, state) = (controls, state)
        let places =
            controls.mode.hasStage && controls.policy.places(isMultichannel: programme.isPlacedAsMultichannel)
        return ProgrammeStatus(
            name: programme.name, layout: programme.layout.name, isEffect: programme.isEffect, mode: controls.mode.word,
            level: max(-200, Decibels(amplitude: Double(controls.level)).value),
            isMuted: controls.isMuted, isSolo: controls.isSolo, isSilenced: controls.isSilenced,
            isInverted: controls.isInverted, width: controls.width * 180 / Double.pi,
            normalisation: Double(controls.dynamics.normalisation),
            drc: controls.dynamics.profile.word,
            dynamicsGain: Double(state.dynamicsGain),
            canSpatialize: programme.role != .direct, isSpatializing: state.isSpatializing,
            isMultichannelUnused: programme.isMultichannel && !places, renditions: renditionStatus(findings),
            talkers: talkers)
    }
}

/// The renditions of one input of a running session, as `ctl status --json` shows them.
package struct RenditionStatus: Codable, Sendable {
    /// The requested rendition: `auto`, `multichannel` or `stereo`.
    package var wanted: String
    /// The rendition that plays: `multichannel` or `stereo`.
    package var playing: String
    /// Whether a port of the multichannel rendition is connected.
    package var hasMultichannel: Bool
    /// Whether a port of the stereo rendition is connected.
    package var hasStereo: Bool
    /// Lag of the stereo rendition behind the multichannel one, milliseconds; nil before it was measured.
    package var lag: Double?
    /// Loudness of the multichannel rendition relative to the stereo one, LU, for a head that faces the front; nil
    /// before it was measured.
    package var loudnessDifference: Double?
    /// Normalised correlation of the two renditions as they play, 0…1; 0 before it was measured.
    package var correlation: Double
    /// Delay applied to the multichannel rendition, milliseconds.
    package var multichannelDelay: Double
    /// Delay applied to the stereo rendition, milliseconds.
    package var stereoDelay: Double
    /// Gain applied to the stereo rendition, dB.
    package var stereoGain: Double
    /// Number of changes of rendition (hand-overs) since the stream began.
    package var handOvers: Int
    /// Number of times that a channel was disconnected since the stream began.
    package var breaks: Int
}

extension ProgrammeRenderer {
    /// Creates the state of the renditions with their measurements; nil for a multichannel one alone without
    /// look-ahead.
    package func renditionStatus(_ findings: RenditionWatch.Findings?) -> RenditionStatus? {
        guard programme.isWatchedOver else { return nil }
        let state = state.renditions
        let milliseconds = 1000 / sampleRate.hertz
        return RenditionStatus(
            wanted: controls.renditions.choice.word, playing: state.playing == .stereo ? "stereo" : "multichannel",
            hasMultichannel: state.hasMultichannel, hasStereo: state.hasStereo,
            lag: findings?.lag.map { $0 * milliseconds }, loudnessDifference: findings?.loudnessDifference,
            correlation: findings?.correlation ?? 0, multichannelDelay: Double(state.multichannelDelay) * milliseconds,
            stereoDelay: Double(state.stereoDelay) * milliseconds,
            stereoGain: Decibels(amplitude: Double(state.stereoGain)).value, handOvers: state.handOvers,
            breaks: state.breaks)
    }
}
