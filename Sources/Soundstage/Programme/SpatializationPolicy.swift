/// Choice of the sound that is placed on the virtual stage. All other sound is played to the two ears without HRTF
/// filters.
package enum SpatializationPolicy: UInt8, Worded, Hashable, Sendable, BitwiseCopyable {
    /// No sound: everything is heard as two channels.
    case nothing
    /// Mono and stereo; multichannel sound is folded down to two channels.
    case monoAndStereo
    /// Multichannel sound; mono and stereo stay two channels.
    case multichannel
    /// Everything.
    case everything

    /// Name of the policy in commands and motion logs.
    package var word: String {
        switch self {
        case .nothing: "none"
        case .monoAndStereo: "stereo"
        case .multichannel: "multichannel"
        case .everything: "all"
        }
    }

    /// Returns whether sound is placed on the stage. Sound fields count as multichannel.
    @_noLocks
    package func places(isMultichannel: Bool) -> Bool {
        switch self {
        case .nothing: false
        case .monoAndStereo: !isMultichannel
        case .multichannel: isMultichannel
        case .everything: true
        }
    }
}

/// Relation of a stage to the listener's head.
package enum StageMode: UInt8, Worded, Hashable, Sendable, BitwiseCopyable {
    /// No stage: two channels to two ears.
    case off
    /// A stage that is fixed to the head and turns with it.
    case fixed
    /// A stage that stays in place when the head turns.
    case tracked

    /// Name of the mode in commands and motion logs.
    package var word: String {
        switch self {
        case .off: "off"
        case .fixed: "fixed"
        case .tracked: "tracked"
        }
    }

    // Patterns instead of `==`, which would need the type's metadata on the audio thread.

    /// Whether there is a stage.
    package var hasStage: Bool { @_noLocks get { if case .off = self { false } else { true } } }

    /// Whether the stage stays in place when the head turns.
    package var isTracked: Bool { @_noLocks get { if case .tracked = self { true } else { false } } }
}

/// Role of a programme for the listener. The role and the session's mode give the programme's mode.
package enum ProgrammeRole: String, CaseIterable, Hashable, Sendable {
    /// The programme stays with the stage.
    case tracked
    /// The programme stays with the head.
    case fixed
    /// The programme is played to the two ears without HRTF filters: binaural sound, a talkback, a click.
    case direct

    /// Returns the programme's mode in a session of mode `mode`. The role `tracked` keeps the session's mode. The role
    /// `fixed` gives `fixed`, or `off` in a session of mode `off`. The role `direct` gives `off`.
    package func mode(in mode: StageMode) -> StageMode {
        switch self {
        case .tracked: mode
        case .fixed: mode == .off ? .off : .fixed
        case .direct: .off
        }
    }
}

/// Kind of a programme. It determines whether the programme is spatialized, unless a policy is chosen.
package enum ProgrammeContent: String, CaseIterable, Hashable, Sendable {
    /// Picture with sound: all formats are placed on the stage.
    case av
    /// Music and speech: only multichannel sound is placed on the stage.
    case audio

    /// Policy that the content determines.
    package var policy: SpatializationPolicy { self == .av ? .everything : .multichannel }
}
