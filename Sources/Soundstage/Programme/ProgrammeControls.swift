import AudioMix
import Geometry
import Signal

/// Controls of a programme that may change while it plays. Every change is gradual. Motion logs contain them under the
/// names of the properties.
package struct ProgrammeControls: BitwiseCopyable, Codable, Hashable, Sendable {
    /// Linear gain, ≥ 0.
    package var level: Float
    /// Whether the programme is muted, whatever its level.
    package var isMuted = false
    /// Whether the programme is soloed. If any programme is, only soloed and solo-safe programmes are heard.
    package var isSolo = false
    /// Whether the programme is heard even while other programmes are soloed.
    package var isSoloSafe = false
    /// Whether the programme is silent because others are soloed. The value follows from the controls of all
    /// programmes.
    package var isSilenced = false
    /// Whether the polarity is inverted.
    package var isInverted = false
    /// Linear gain of the path that bypasses the stage. It differs from 1 while this path is compared with the stage at
    /// equal loudness.
    package var gainPastStage: Float = 1
    /// Linear gain of ducking, 0…1, in addition to the level. It is 1 except during an interruption.
    package var duck: Float
    /// Relation of the programme's stage to the head.
    package var mode: StageMode
    /// Policy that determines whether the programme is placed on the stage.
    package var policy: SpatializationPolicy
    /// Rotation of the programme relative to the stage.
    package var place: Quaternion
    /// Angle over which each source is spread, from one end to the other, radians, 0…π. A source with a width of its
    /// own is spread over at least that width.
    package var width: Double
    /// Whether stereo is upmixed to the stage, and the amounts of the upmix.
    package var upmix = UpmixState()
    /// Controls of the Audio Mix of a sound field, if it has one.
    package var mix = AudioMixControls()
    /// The chosen rendition, and the measured match of the two renditions.
    package var renditions = RenditionControls()
    /// Normalisation of the loudness, and compression of the dynamics. By default there is neither.
    package var dynamics = DynamicsControls()
    /// Number of the request. A change of `renditions.match` alone is no request.
    var serial: UInt32 = 0

    /// Product of the linear gains: 0 if the programme is muted or silenced, negative with inverted polarity.
    var gain: Float {
        @_noLocks get { isMuted || isSilenced ? 0 : isInverted ? -level * duck : level * duck }
    }

    /// Returns whether two requests are equal, apart from `serial` and `renditions.match`.
    package func asksTheSame(as other: ProgrammeControls) -> Bool {
        var other = other
        (other.renditions.match, other.serial) = (renditions.match, serial)
        return self == other
    }

    /// The controls as a motion log contains them. A programme that is silenced by solos counts as muted, and the
    /// camera has the heading and the field of view of its path. Solos, the measured match and `serial` have their
    /// defaults.
    package var recorded: ProgrammeControls {
        var recorded = self
        (recorded.isMuted, recorded.isSilenced) = (isMuted || isSilenced, false)
        (recorded.isSolo, recorded.isSoloSafe) = (false, false)
        recorded.mix.cameraHeading += mix.view.heading
        recorded.mix.fieldOfView = mix.view.field ?? mix.fieldOfView
        recorded.mix.view = .controls
        (recorded.renditions.match, recorded.serial) = (RenditionMatch(), 0)
        return recorded
    }

    /// Returns the controls of a motion log, for replay on the programme that has the present controls. The values that
    /// a log does not contain remain those of the programme.
    package func replaying(_ recorded: ProgrammeControls) -> ProgrammeControls {
        var replayed = recorded
        (replayed.isSolo, replayed.isSoloSafe, replayed.isSilenced) = (isSolo, isSoloSafe, isSilenced)
        (replayed.renditions.match, replayed.serial) = (renditions.match, serial)
        return replayed
    }

    /// Fault of controls that were read from a motion log; nil if there is none.
    package var flaw: String? {
        if abs(place.squaredNorm - 1) > 1e-9 { return "'place' is not a quaternion of unit length" }
        if !(0...Double.pi).contains(width) { return "'width' is \(width), outside 0…π" }
        if ![level, duck, gainPastStage].allSatisfy({ (0...1e6).contains($0) }) {
            return "a gain is below 0 or above 1000000"
        }
        return mix.flaw ?? upmix.amounts.flaw ?? dynamics.flaw
    }

    /// Makes the initial controls of a programme in a session with a mode and a policy. If `policy` is nil, it is
    /// `everything` for a sound field, and that of the content for loudspeakers.
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
    /// Whether the sound is placed on the stage, or fades to it.
    package var isSpatializing = false
    /// State of the renditions. It keeps its initial value if the renditions are not monitored.
    package var renditions = RenditionState()
    /// Gain of normalisation and compression together, dB.
    package var dynamicsGain: Float = 0
    /// Talkers that an Audio Mix has found in the programme; nil where there is no talker.
    package var talkers: (TalkerState?, TalkerState?) = (nil, nil)

    /// Makes the state before the first period.
    package init() {}
}
