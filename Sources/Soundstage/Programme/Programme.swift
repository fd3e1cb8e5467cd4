import AudioMix
import Geometry
import Signal

/// One input of a session, with its format and its role; or an effect, which receives sends of other programmes.
package struct Programme: Hashable, Sendable {
    /// Name in ports and commands. It has ASCII letters, digits, `_` and `-`.
    package var name: String
    /// Loudspeakers of the programme's stage, in the order of the channels of its multichannel rendition (one of the
    /// two forms in which it may be delivered); or the channels of a sound field. A session never folds a sound field
    /// down to two channels.
    package var layout: Layout
    /// Whether the programme has an input channel for each loudspeaker of the layout, or for each channel of a sound
    /// field.
    package var hasMultichannelRendition: Bool
    /// Whether the programme has a stereo rendition (two channels, or one if mono). The multichannel rendition may
    /// exist too.
    package var hasStereoRendition: Bool
    /// Whether the stereo rendition is a single channel. Not allowed with a multichannel rendition.
    package var isMono: Bool
    /// Upmix of stereo to the stage; nil plays stereo on two loudspeakers.
    package var upmix: UpmixPlan?
    /// Latency of the Audio Mix, for sound fields only; nil plays the field as recorded.
    package var mix: AudioMixLatency?
    /// Heading and field of view of the mix's camera over the programme's time; nil uses the camera of the controls.
    package var camera: CameraPath?
    /// Latency that is reserved for inputs that break off and for the alignment of renditions.
    package var handOver: HandOver
    /// Role of the programme: it stays with the stage, stays with the head, or bypasses the stage.
    package var role: ProgrammeRole
    /// Kind of the programme. It determines whether the programme is spatialized, unless a policy is chosen.
    package var content: ProgrammeContent
    /// Level of the programme. The loudspeakers' own gains apply in addition.
    package var level: Decibels
    /// Rotation of the programme relative to the stage.
    package var place: Rotation<Stage, Stage>
    /// Angle over which each source is spread, from one end to the other, radians, 0…π.
    package var width: Double
    /// Whether the programme is an effect: it receives sends of other programmes, one feed per loudspeaker, and has no
    /// input channels. An effect has one rendition, no look-ahead and no upmix.
    package var isEffect = false

    /// Largest number of programmes in one session.
    package static let most = 8

    /// Makes a programme; see the properties.
    package init(
        name: String = "main", layout: Layout, hasMultichannelRendition: Bool = true, hasStereoRendition: Bool = false,
        isMono: Bool = false, upmix: UpmixPlan? = nil, handOver: HandOver = HandOver(),
        role: ProgrammeRole = .tracked,
        content: ProgrammeContent = .av, level: Decibels = Decibels(0),
        place: Rotation<Stage, Stage> = Rotation(yaw: 0), width: Double = 0
    ) {
        self.name = name
        self.layout = layout
        self.hasMultichannelRendition = hasMultichannelRendition
        self.hasStereoRendition = hasStereoRendition
        self.isMono = isMono
        self.upmix = upmix
        self.handOver = handOver
        self.role = role
        self.content = content
        self.level = level
        self.place = place
        self.width = width
    }

    /// Format of the channels if the programme is a sound field; nil for loudspeakers.
    package var field: AmbisonicFormat? { layout.ambisonics }

    /// Number of loudspeakers of the programme's stage; 0 for a sound field.
    package var loudspeakerCount: Int { layout.loudspeakers.count }

    /// Number of input channels of the multichannel rendition.
    package var multichannelChannels: Int { hasMultichannelRendition && !isEffect ? layout.channelCount : 0 }

    /// Number of input channels of the stereo rendition.
    package var stereoChannels: Int { hasStereoRendition ? isMono ? 1 : 2 : 0 }

    /// Number of input channels: those of the multichannel rendition, then those of the stereo rendition.
    package var inputCount: Int { multichannelChannels + stereoChannels }

    /// Whether the programme has two renditions, between which it can be switched.
    package var hasBothRenditions: Bool { hasMultichannelRendition && hasStereoRendition }

    /// Whether the inputs are monitored for disconnection: true if the programme has a stereo rendition or reserved
    /// latency.
    package var isWatchedOver: Bool { hasStereoRendition || handOver.hold > 0 || handOver.alignment > 0 }

    /// Whether the multichannel rendition has more than two loudspeakers that are not LFE; false for a sound field.
    package var isMultichannel: Bool {
        hasMultichannelRendition && layout.loudspeakers.filter { !$0.isLowFrequency }.count > 2
    }

    /// Whether a `SpatializationPolicy` treats the programme as multichannel, which includes sound fields.
    package var isPlacedAsMultichannel: Bool { field != nil || isMultichannel }
}

/// Slices in which the audio thread processes programmes.
package enum ProgrammeSlice {
    /// Largest number of frames in one slice.
    package static var longest: Int { @_noLocks get { 256 } }
}
