/// One of the two forms in which a programme may be delivered.
package enum Rendition: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// A channel for each loudspeaker of the programme's layout.
    case multichannel
    /// Two channels, left and right.
    case stereo
}

/// Choice of the rendition to play.
package enum RenditionChoice: UInt8, Worded, Hashable, Sendable, BitwiseCopyable {
    /// The multichannel one as long as it is delivered, else the stereo one.
    case auto
    /// The multichannel one, whether it is delivered or not.
    case multichannel
    /// The stereo one, whether it is delivered or not.
    case stereo

    /// Name of the choice in commands and motion logs.
    package var word: String {
        switch self {
        case .auto: "auto"
        case .multichannel: "multichannel"
        case .stereo: "stereo"
        }
    }
}

/// Measured match of a programme's two renditions, taken while both were delivered.
package struct RenditionMatch: BitwiseCopyable, Hashable, Sendable {
    /// Whether `lag` was measured.
    package var hasLag = false
    /// Lag of the stereo rendition behind the multichannel one, frames; negative: it is earlier.
    package var lag = 0
    /// Normalised correlation of the mono downmixes of the two, aligned, 0…1; 0 if unknown.
    package var correlation: Float = 0
    /// Gain that brings the stereo rendition to the loudness of the multichannel one over a long time, dB.
    package var stereoGain: Float = 0
    /// The same over the last moments, dB.
    package var momentaryGain: Float = 0
    /// Correction of the stereo rendition's colour besides that gain.
    package var colour = RenditionColour()

    /// Makes a match without measurements.
    @_noLocks
    package init() {}
}

/// Controls of a programme's renditions.
package struct RenditionControls: BitwiseCopyable, Hashable, Sendable {
    /// Rendition to play.
    package var choice = RenditionChoice.auto
    /// Measured match of the two.
    package var match = RenditionMatch()

    /// Makes the default: `auto`, without measurements.
    @_noLocks
    package init() {}
}

/// State of a programme's renditions, as the audio thread reports it.
package struct RenditionState: BitwiseCopyable, Hashable, Sendable {
    /// The rendition that plays or is fading in.
    package var playing = Rendition.multichannel
    /// Whether the multichannel rendition is delivered.
    package var hasMultichannel = false
    /// Whether the stereo rendition is delivered.
    package var hasStereo = false
    /// Delay of the multichannel rendition, frames.
    package var multichannelDelay = 0
    /// Delay of the stereo rendition from input to output, the upmix included, frames.
    package var stereoDelay = 0
    /// Matching gain of the stereo rendition, linear.
    package var stereoGain: Float = 1
    /// Changes of rendition since the stream began.
    package var handOvers = 0
    /// Breaks of channels since the stream began.
    package var breaks = 0

    /// Makes the state before the first slice.
    @_noLocks
    package init() {}
}

/// Latency reserved for a programme's inputs: for breaks, and for the alignment of its renditions.
package struct HandOver: Hashable, Sendable {
    /// Look-ahead, seconds: sound that breaks off is faded before its end.
    package var hold: Double
    /// Reserve, seconds, for a stereo rendition that arrives later than the multichannel one.
    package var alignment: Double

    /// Largest value of each, seconds.
    package static let most = 0.5
    /// Largest delay of the earlier of two renditions for alignment with the later, seconds.
    package static let reach = 0.5

    /// Makes the latency, seconds, 0…`most` each.
    package init(hold: Double = 0, alignment: Double = 0) {
        self.hold = hold
        self.alignment = alignment
    }
}
