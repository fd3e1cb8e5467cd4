import AudioMix
import Geometry
import Signal

/// Controls of a programme that may change while it plays; every change fades or moves.
package struct ProgrammeControls: BitwiseCopyable, Hashable, Sendable {
    /// Linear gain, ≥ 0.
    package var level: Float
    /// Whether the programme is muted, whatever its level.
    package var isMuted = false
    /// Whether the programme is soloed: only soloed programmes are heard.
    package var isSolo = false
    /// Whether the programme is heard even while others are soloed.
    package var isSoloSafe = false
    /// Whether the programme is silent because others are soloed; derived from the controls of all programmes.
    package var isSilenced = false
    /// Whether the polarity is inverted.
    package var isInverted = false
    /// Gain of the path past the stage, linear; differs from 1 in a comparison with the stage at equal loudness.
    package var gainPastStage: Float = 1
    /// Ducking gain beside the level, linear, 0…1: 1 except during an interruption.
    package var duck: Float
    /// Relation of the programme's stage to the head.
    package var mode: StageMode
    /// Policy for placing the programme on the stage.
    package var policy: SpatializationPolicy
    /// Rotation of the programme's own front on the stage.
    package var place: Quaternion
    /// Angle over which each of its sources is spread, radians, 0…π; a source with a width of its own is never
    /// narrower.
    package var width: Double
    /// Whether stereo is upmixed to the stage, and the amounts.
    package var upmix = UpmixState()
    /// Controls of the Audio Mix of a sound field, if it has one.
    package var mix = AudioMixControls()
    /// Rendition chosen, and the measured match of the two.
    package var renditions = RenditionControls()
    /// Normalisation of the loudness and compression of the dynamics; by default neither.
    package var dynamics = DynamicsControls()
    /// Number of the request; measurements do not count.
    var serial: UInt32 = 0

    /// Product of the linear gains; negative with inverted polarity.
    var gain: Float {
        @_noLocks get { isMuted || isSilenced ? 0 : isInverted ? -level * duck : level * duck }
    }

    /// Whether two requests are equal, measurements aside.
    package func asksTheSame(as other: ProgrammeControls) -> Bool {
        var other = other
        (other.renditions.match, other.serial) = (renditions.match, serial)
        return self == other
    }

    /// Makes the initial controls of a programme in a session of the given mode and policy (nil: a sound field is
    /// always on the stage, loudspeakers by their content).
    package init(_ programme: Programme, mode: StageMode = .tracked, policy: SpatializationPolicy? = nil) {
        level = Float(programme.level.amplitude)
        duck = 1
        self.mode = programme.role.mode(in: mode)
        self.policy = policy ?? (programme.field == nil ? programme.content.policy : .everything)
        place = programme.place.quaternion
        width = programme.width
        isSoloSafe = programme.isEffect
    }
}

/// State of a programme, as the audio thread reports it.
package struct ProgrammeState: BitwiseCopyable, Sendable {
    /// Whether the sound is placed on the stage, or is fading to it.
    package var isSpatializing = false
    /// State of its renditions; at its initial value where they are not monitored.
    package var renditions = RenditionState()
    /// Gain of normalisation and compression together, dB.
    package var dynamicsGain: Float = 0
    /// Talkers that an Audio Mix has found in the programme; nil in a free place.
    package var talkers: (TalkerState?, TalkerState?) = (nil, nil)

    /// Makes the state before the first period.
    package init() {}
}
