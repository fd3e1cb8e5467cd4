import AudioMix
import Geometry
import Signal

/// One input of a session: what is delivered, and what it is to the listener; or an effect, which others are sent to.
package struct Programme: Hashable, Sendable {
    /// The name by which its ports and commands know it; ASCII letters, digits, `_` and `-`.
    package var name: String
    /// The loudspeakers of its stage, in the order of its multichannel rendition's channels; or a sound field's
    /// channels, which are never folded down.
    package var layout: Layout
    /// Whether a channel comes in for each loudspeaker of the layout.
    package var hasMultichannelRendition: Bool
    /// Whether two channels (one, where it is mono alone) bring the programme, beside the others or instead of them.
    package var hasStereoRendition: Bool
    /// Whether what comes in for stereo is one channel; only where there is nothing else.
    package var isMono: Bool
    /// How stereo is upmixed to the stage; nil: it plays on two loudspeakers.
    package var upmix: UpmixPlan?
    /// How far an Audio Mix of it looks ahead; nil: it plays as it was recorded. For sound fields alone.
    package var mix: AudioMixLatency?
    /// Where the mix's camera looks over the programme's time; nil: where its controls say.
    package var camera: CameraPath?
    /// How much latency it is given to meet sound that breaks off and renditions that do not arrive together.
    package var handOver: HandOver
    /// What it is to the listener.
    package var role: ProgrammeRole
    /// What kind it is, which decides what is spatialized unless it is chosen.
    package var content: ProgrammeContent
    /// Its level, beside the loudspeakers' own gains.
    package var level: Decibels
    /// Where its own front is on the stage.
    package var place: Rotation<Stage, Stage>
    /// Over which angle each of its sources is spread, radians, 0…π.
    package var width: Double
    /// Whether it is an effect: fed by sends of other programmes, one feed per loudspeaker, and not from outside. It
    /// has one rendition, no look-ahead and no upmix.
    package var isEffect = false

    /// Most programmes in one session.
    package static let most = 8

    /// A programme.
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

    /// What its channels are where it is a sound field; nil where they are loudspeakers.
    package var field: AmbisonicFormat? { layout.ambisonics }

    /// Loudspeakers of its stage: a sound field has none.
    package var loudspeakerCount: Int { layout.loudspeakers.count }

    /// Channels of the multichannel rendition that come in from outside.
    package var multichannelChannels: Int { hasMultichannelRendition && !isEffect ? layout.channelCount : 0 }

    /// Channels of the stereo rendition that come in.
    package var stereoChannels: Int { hasStereoRendition ? isMono ? 1 : 2 : 0 }

    /// Channels that come in: the layout's, then those of the stereo rendition.
    package var inputCount: Int { multichannelChannels + stereoChannels }

    /// Whether two renditions are to be handed over from one to the other.
    package var hasBothRenditions: Bool { hasMultichannelRendition && hasStereoRendition }

    /// Whether its inputs are watched for sound that breaks off: it has two renditions, or a latency for it.
    package var isWatchedOver: Bool { hasStereoRendition || handOver.hold > 0 || handOver.alignment > 0 }

    /// Whether more than stereo comes in.
    package var isMultichannel: Bool {
        hasMultichannelRendition && layout.loudspeakers.filter { !$0.isLowFrequency }.count > 2
    }
}

/// The pieces in which the sound of programmes is made on the audio thread.
package enum ProgrammeSlice {
    /// Most frames of one piece.
    package static var longest: Int { @_noLocks get { 256 } }
}
