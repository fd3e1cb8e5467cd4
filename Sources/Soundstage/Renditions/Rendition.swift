/// One of the two forms in which a programme may be delivered. A channel is delivered while its port has a connection.
package enum Rendition: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// A channel for each loudspeaker of the programme's layout.
    case multichannel
    /// Two channels, left and right; one channel if the programme is mono.
    case stereo
}

/// Choice of the rendition that plays.
package enum RenditionChoice: UInt8, Worded, Hashable, Sendable, BitwiseCopyable {
    /// The multichannel rendition until it breaks off, then the stereo rendition if that is delivered. The multichannel
    /// rendition plays again after two seconds without a break, or when the stereo rendition breaks off.
    case auto
    /// The multichannel rendition, delivered or not, if the programme has one.
    case multichannel
    /// The stereo rendition, delivered or not, if the programme has one.
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

/// Match of a programme's two renditions, measured while both were delivered; only `momentaryGain` is also predicted
/// for a second after the multichannel rendition is lost.
package struct RenditionMatch: BitwiseCopyable, Hashable, Sendable {
    /// Whether `lag` was measured.
    package var hasLag = false
    /// Lag of the stereo rendition behind the multichannel one, frames. It is negative if stereo is earlier.
    package var lag = 0
    /// Normalised correlation of the mono downmixes of the two aligned renditions, 0…1; 0 if unknown.
    package var correlation: Float = 0
    /// Gain that gives the stereo rendition the loudness of the multichannel one, measured over a long time, dB.
    package var stereoGain: Float = 0
    /// Gain that gives the stereo rendition the loudness of the multichannel one in the last 40 ms, dB.
    package var momentaryGain: Float = 0
    /// Equalisation of the stereo rendition in bands, in addition to the gain.
    package var colour = RenditionColour()

    /// Makes a match without measurements.
    @_noLocks
    package init() {}
}

/// Controls of a programme's renditions.
package struct RenditionControls: BitwiseCopyable, Codable, Hashable, Sendable {
    /// Rendition to play.
    package var choice = RenditionChoice.auto
    /// Measured match of the two renditions.
    package var match = RenditionMatch()

    /// Files contain only the choice. The match depends on the connections of a session.
    private enum CodingKeys: CodingKey { case choice }

    /// Makes the default: `auto`, without measurements.
    @_noLocks
    package init() {}
}

/// State of a programme's renditions, as the audio thread reports it.
package struct RenditionState: BitwiseCopyable, Hashable, Sendable {
    /// The rendition that plays or fades in.
    package var playing = Rendition.multichannel
    /// Whether any channel of the multichannel rendition is delivered.
    package var hasMultichannel = false
    /// Whether any channel of the stereo rendition is delivered.
    package var hasStereo = false
    /// Delay of the multichannel rendition from input to output, frames.
    package var multichannelDelay = 0
    /// Delay of the stereo rendition from input to output, including the upmix, frames.
    package var stereoDelay = 0
    /// Linear gain by which the stereo rendition is matched.
    package var stereoGain: Float = 1
    /// Number of changes of rendition (hand-overs) since the stream began.
    package var handOvers = 0
    /// Number of times that a channel was disconnected since the stream began.
    package var breaks = 0

    /// Makes the state before the first slice.
    @_noLocks
    package init() {}
}

/// Latency that is reserved for a programme's inputs: for inputs that break off, and for the alignment of its
/// renditions.
package struct HandOver: Hashable, Sendable {
    /// Look-ahead, seconds. With it, a sound that breaks off is faded before its end.
    package var hold: Double
    /// Reserve for a stereo rendition that arrives later than the multichannel one, seconds.
    package var alignment: Double

    /// Largest value of `hold` and of `alignment`, seconds.
    package static let most = 0.5
    /// Largest delay in addition to the programme's latency that aligns the earlier of two renditions with the later
    /// one, seconds.
    package static let reach = 0.5

    /// Makes a latency. Both values are in seconds, 0…`most`.
    package init(hold: Double = 0, alignment: Double = 0) {
        self.hold = hold
        self.alignment = alignment
    }
}
