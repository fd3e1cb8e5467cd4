import AudioMix
import Geometry
import Signal

/// What may be changed of a programme while it plays; every change fades or moves.
package struct ProgrammeControls: BitwiseCopyable, Hashable, Sendable {
    /// Linear gain, ≥ 0.
    package var level: Float
    /// Whether it is silent, whatever its level.
    package var isMuted = false
    /// Whether it is heard alone, with the others that are.
    package var isSolo = false
    /// Whether it is heard whatever others are heard alone.
    package var isSoloSafe = false
    /// Whether it is silent because others are heard alone: follows from what is asked of all.
    package var isSilenced = false
    /// Whether its polarity is turned over.
    package var isInverted = false
    /// Linear gain of what goes past the stage: not 1 while that is compared with the stage at one loudness.
    package var gainPastStage: Float = 1
    /// Linear gain beside the level, 0…1, while another asks for the stage: 1 when none does.
    package var duck: Float
    /// How the programme meets the head.
    package var mode: StageMode
    /// What is placed on the stage.
    package var policy: SpatializationPolicy
    /// Where the programme's own front is on the stage.
    package var place: Quaternion
    /// Over which angle each of its sources is spread, radians, 0…π; a source with a width of its own is never
    /// narrower.
    package var width: Double
    /// Whether and how far stereo is upmixed to the stage.
    package var upmix = UpmixState()
    /// How a sound field is mixed anew, where it is.
    package var mix = AudioMixControls()
    /// Which of its renditions is wanted, and how they compare.
    package var renditions = RenditionControls()
    /// How loud it is made and how its dynamics are compressed; by default neither.
    package var dynamics = DynamicsControls()
    /// Counts what was asked; not what was measured.
    var serial: UInt32 = 0

    /// Linear gain of all of them together; < 0 with the polarity turned over.
    var gain: Float {
        @_noLocks get { isMuted || isSilenced ? 0 : isInverted ? -level * duck : level * duck }
    }

    /// Whether the same is asked for, whatever was measured.
    package func asksTheSame(as other: ProgrammeControls) -> Bool {
        var other = other
        (other.renditions.match, other.serial) = (renditions.match, serial)
        return self == other
    }

    /// What a programme begins with in a session of the given mode and policy (nil: by its content).
    package init(_ programme: Programme, mode: StageMode = .tracked, policy: SpatializationPolicy? = nil) {
        level = Float(programme.level.amplitude)
        duck = 1
        self.mode = programme.role.mode(in: mode)
        self.policy = policy ?? programme.content.policy
        place = programme.place.quaternion
        width = programme.width
        isSoloSafe = programme.isEffect
    }
}

/// What a programme does at the moment, as the audio thread tells.
package struct ProgrammeState: BitwiseCopyable, Sendable {
    /// Whether the sound that plays is placed on the stage, or is about to be.
    package var isSpatializing = false
    /// What its renditions do; as at the beginning where they are not watched over.
    package var renditions = RenditionState()
    /// Gain of normalisation and compression together, dB.
    package var dynamicsGain: Float = 0
    /// The talkers that an Audio Mix hears in it; nil in a free place.
    package var talkers: (TalkerState?, TalkerState?) = (nil, nil)

    /// Before the first period.
    package init() {}
}
