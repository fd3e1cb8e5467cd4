import Rendering
import Signal
import Soundstage

/// One input of a running session, as `ctl status --json` shows it.
package struct ProgrammeStatus: Codable, Sendable {
    /// Its name; `main` is the one of `--layout`.
    package var name: String
    /// Its layout.
    package var layout: String
    /// Whether it is an effect: without ports, fed with what other inputs play.
    package var isEffect: Bool
    /// How its stage meets the head: `off`, `fixed` or `tracked`.
    package var mode: String
    /// dB.
    package var level: Double
    /// Whether it is silenced, whatever its level.
    package var isMuted: Bool
    /// Whether it is soloed; silent because others are; and whether its polarity is turned over.
    package var isSolo: Bool, isSilenced: Bool, isInverted: Bool
    /// Over which angle each of its sources is spread, degrees; a loudspeaker may have more by its layout.
    package var width: Double
    /// Gain that brings it to its target loudness, dB; 0 where there is none.
    package var normalisation: Double
    /// Name of its compression profile.
    package var drc: String
    /// Normalisation and compression together at the moment, dB.
    package var dynamicsGain: Double
    /// Whether it could stand on the stage: its role allows a stage.
    package var canSpatialize: Bool
    /// Whether it stands on the stage.
    package var isSpatializing: Bool
    /// Whether multichannel sound comes in and is folded down, because no more was asked for.
    package var isMultichannelUnused: Bool
    /// Its renditions and what breaks off in them; nil where there is one alone and no look-ahead.
    package var renditions: RenditionStatus?
    /// The talkers that its Audio Mix hears; nil where nothing is mixed.
    package var talkers: [TalkerStatus]?
    /// The convention (`sn3d`, `n3d`, `fuma`) whose scale its sound field seems to have, where that is another than was
    /// said; nil for all else.
    package var heardScale: String?
}

extension ProgrammeRenderer {
    /// The state at this moment, for the user, with what was found out about its renditions.
    package func status(_ findings: RenditionWatch.Findings?) -> ProgrammeStatus {
        let (controls, state) = (controls, state)
        let places = controls.mode.hasStage && controls.policy.places(isMultichannel: programme.isMultichannel)
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
    /// What was asked for: `auto`, `multichannel` or `stereo`.
    package var wanted: String
    /// The one that plays: `multichannel` or `stereo`.
    package var playing: String
    /// Whether any of its ports is connected.
    package var hasMultichannel: Bool
    /// Whether any of its ports is connected.
    package var hasStereo: Bool
    /// Milliseconds by which the stereo rendition arrives later; nil before that was measured.
    package var lag: Double?
    /// LU by which the multichannel rendition is louder to a head that looks to the front; nil before that was
    /// measured.
    package var loudnessDifference: Double?
    /// Normalised correlation of the two as they play, 0…1.
    package var correlation: Double
    /// Milliseconds by which the multichannel rendition is delayed.
    package var multichannelDelay: Double
    /// Milliseconds by which the stereo rendition is delayed.
    package var stereoDelay: Double
    /// dB on the stereo rendition.
    package var stereoGain: Double
    /// Hand-overs since the stream began.
    package var handOvers: Int
    /// Channels whose sound broke off since the stream began.
    package var breaks: Int
}

extension ProgrammeRenderer {
    /// The state of the renditions with what was found out about them; nil where there is one alone and no look-ahead.
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
