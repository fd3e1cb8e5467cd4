import Geometry
import Signal

/// One input of a session: what is delivered, and what it is to the listener.
package struct Programme: Hashable, Sendable {
    /// The name by which its ports and commands know it; ASCII letters, digits, `_` and `-`.
    package var name: String
    /// The loudspeakers of its stage, in the order of its multichannel rendition's channels; no sound field.
    package var layout: Layout
    /// Whether a second group of two channels carries the same programme in stereo.
    package var hasStereoRendition: Bool
    /// How much latency it is given to meet sound that breaks off and renditions that do not arrive together.
    package var handOver: HandOver
    /// What it is to the listener.
    package var role: ProgrammeRole
    /// What kind it is, which decides what is spatialized as long as nobody chooses.
    package var content: ProgrammeContent
    /// Its level, beside the loudspeakers' own gains.
    package var level: Decibels
    /// Where its own front is on the stage.
    package var place: Rotation<Stage, Stage>

    /// Most programmes in one session.
    package static let most = 8

    /// A programme.
    package init(
        name: String = "main", layout: Layout, hasStereoRendition: Bool = false, handOver: HandOver = HandOver(),
        role: ProgrammeRole = .tracked,
        content: ProgrammeContent = .av, level: Decibels = Decibels(0),
        place: Rotation<Stage, Stage> = Rotation(yaw: 0)
    ) {
        self.name = name
        self.layout = layout
        self.hasStereoRendition = hasStereoRendition
        self.handOver = handOver
        self.role = role
        self.content = content
        self.level = level
        self.place = place
    }

    /// Channels that come in: the layout's, then left and right of the stereo rendition.
    package var inputCount: Int { layout.channelCount + (hasStereoRendition ? 2 : 0) }

    /// Whether its inputs are watched for sound that breaks off: it has two renditions, or a latency for it.
    package var isWatchedOver: Bool { hasStereoRendition || handOver.hold > 0 || handOver.alignment > 0 }

    /// Whether its layout is more than stereo.
    package var isMultichannel: Bool { layout.loudspeakers.filter { !$0.isLowFrequency }.count > 2 }
}
