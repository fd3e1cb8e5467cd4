/// One of the two forms in which the same programme may be delivered.
package enum Rendition: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// A channel for each loudspeaker of the programme's layout.
    case multichannel
    /// Two channels, left and right.
    case stereo
}

/// Which rendition is wanted.
package enum RenditionChoice: UInt8, Worded, Hashable, Sendable, BitwiseCopyable {
    /// The multichannel one as long as it is there, else the stereo one.
    case auto
    /// The multichannel one, whether it is there or not.
    case multichannel
    /// The stereo one, whether it is there or not.
    case stereo

    /// The choice in a word, as users and motion logs know it.
    package var word: String {
        switch self {
        case .auto: "auto"
        case .multichannel: "multichannel"
        case .stereo: "stereo"
        }
    }
}

/// How the two renditions of a programme compare, as measured while both were there.
package struct RenditionMatch: BitwiseCopyable, Hashable, Sendable {
    /// Whether `lag` was measured.
    package var hasLag = false
    /// Frames by which the stereo rendition arrives later than the multichannel one; negative: earlier.
    package var lag = 0
    /// Normalised correlation of the two, mixed down to one channel each and aligned, 0…1; 0 where unknown.
    package var correlation: Float = 0
    /// Gain that brings the stereo rendition to the loudness of the multichannel one in the long run, dB.
    package var stereoGain: Float = 0
    /// The same for the last moments, dB.
    package var momentaryGain: Float = 0
    /// What brings it to the multichannel one's colour beside.
    package var colour = RenditionColour()

    /// Nothing is known.
    @_noLocks
    package init() {}
}

/// What is asked of a programme's renditions.
package struct RenditionControls: BitwiseCopyable, Hashable, Sendable {
    /// Which is wanted.
    package var choice = RenditionChoice.auto
    /// How the two compare.
    package var match = RenditionMatch()

    /// By availability, nothing known.
    @_noLocks
    package init() {}
}

/// What a programme's renditions do at the moment, as the audio thread tells.
package struct RenditionState: BitwiseCopyable, Hashable, Sendable {
    /// The one that plays, or is fading in.
    package var playing = Rendition.multichannel
    /// Whether the multichannel rendition is delivered.
    package var hasMultichannel = false
    /// Whether the stereo rendition is delivered.
    package var hasStereo = false
    /// Frames by which the multichannel rendition is delayed.
    package var multichannelDelay = 0
    /// Frames by which the stereo rendition is delayed, until it is heard.
    package var stereoDelay = 0
    /// The gain on the stereo rendition, linear.
    package var stereoGain: Float = 1
    /// Hand-overs since the stream began.
    package var handOvers = 0
    /// Channels whose sound broke off since the stream began.
    package var breaks = 0

    /// Before the first slice.
    @_noLocks
    package init() {}
}

/// How a programme's inputs are watched over: the latency it is given to meet what happens to them.
package struct HandOver: Hashable, Sendable {
    /// Seconds of look-ahead: sound that breaks off is faded before its end.
    package var hold: Double
    /// Seconds kept in reserve so that a stereo rendition that comes later than the multichannel one can still be met.
    package var alignment: Double

    /// Most seconds of each.
    package static let most = 0.5
    /// Seconds by which the earlier of two renditions can be delayed to meet the later.
    package static let reach = 0.5

    /// Seconds, 0…`most` each.
    package init(hold: Double = 0, alignment: Double = 0) {
        self.hold = hold
        self.alignment = alignment
    }
}
