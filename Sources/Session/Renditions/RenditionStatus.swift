import Rendering
import Signal
import Soundstage

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
    /// LU by which the multichannel rendition is louder to a head that looks to the front; nil before that was measured.
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
    func renditionStatus(_ findings: RenditionWatch.Findings?) -> RenditionStatus? {
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
