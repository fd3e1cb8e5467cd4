import AudioMix
import Geometry
import Signal

/// One input of a session, with its format and its role; or an effect, fed by sends of other programmes.
package struct Programme: Hashable, Sendable {
    /// Name in ports and commands; ASCII letters, digits, `_` and `-`.
    package var name: String
    /// Loudspeakers of its stage, in the order of its multichannel rendition's channels; or the channels of a sound
    /// field, which is never folded down.
    package var layout: Layout
    /// Whether it has an input channel for each loudspeaker of the layout.
    package var hasMultichannelRendition: Bool
    /// Whether it has a stereo rendition (two channels, or one if mono), with the multichannel one or without.
    package var hasStereoRendition: Bool
    /// Whether the stereo rendition is a single channel; only without a multichannel rendition.
    package var isMono: Bool
    /// Upmix of stereo to the stage; nil: stereo plays on two loudspeakers.
    package var upmix: UpmixPlan?
    /// Look-ahead of its Audio Mix; nil: it plays as recorded. For sound fields only.
    package var mix: AudioMixLatency?
    /// View of the mix's camera over the programme's time; nil: the view of the controls.
    package var camera: CameraPath?
    /// Latency reserved for breaks and for the alignment of renditions.
    package var handOver: HandOver
    /// Its role for the listener.
    package var role: ProgrammeRole
    /// Its kind, which decides whether it is spatialized unless a policy is chosen.
    package var content: ProgrammeContent
    /// Its level, on top of the loudspeakers' own gains.
    package var level: Decibels
    /// Rotation of its own front on the stage.
    package var place: Rotation<Stage, Stage>
    /// Angle over which each of its sources is spread, radians, 0…π.
    package var width: Double
    /// Whether it is an effect: fed by sends of other programmes, one feed per loudspeaker, and without inputs. An
    /// effect has one rendition, no look-ahead and no upmix.
    package var isEffect = false

    /// Largest number of programmes in one session.
    package static let most = 8

    /// Makes a programme.
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

    /// Format of its channels if it is a sound field; nil for loudspeakers.
    package var field: AmbisonicFormat? { layout.ambisonics }

    /// Number of loudspeakers of its stage; 0 for a sound field.
    package var loudspeakerCount: Int { layout.loudspeakers.count }

    /// Number of input channels of the multichannel rendition.
    package var multichannelChannels: Int { hasMultichannelRendition && !isEffect ? layout.channelCount : 0 }

    /// Number of input channels of the stereo rendition.
    package var stereoChannels: Int { hasStereoRendition ? isMono ? 1 : 2 : 0 }

    /// Number of input channels: the layout's, then those of the stereo rendition.
    package var inputCount: Int { multichannelChannels + stereoChannels }

    /// Whether it has two renditions to switch between.
    package var hasBothRenditions: Bool { hasMultichannelRendition && hasStereoRendition }

    /// Whether its inputs are monitored for breaks: it has a stereo rendition, or latency reserved for them.
    package var isWatchedOver: Bool { hasStereoRendition || handOver.hold > 0 || handOver.alignment > 0 }

    /// Whether its multichannel rendition has more than two channels besides LFE.
    package var isMultichannel: Bool {
        hasMultichannelRendition && layout.loudspeakers.filter { !$0.isLowFrequency }.count > 2
    }
}

/// Slices in which the audio thread processes programmes.
package enum ProgrammeSlice {
    /// Most frames of one slice.
    package static var longest: Int { @_noLocks get { 256 } }
}
