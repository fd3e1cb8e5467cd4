/// What is placed on the virtual stage, and what goes to the ears as it is.
package enum SpatializationPolicy: UInt8, Worded, Hashable, Sendable, BitwiseCopyable {
    /// Nothing: everything is heard as two channels.
    case nothing
    /// Mono and stereo; multichannel sound is folded down to two channels.
    case monoAndStereo
    /// Multichannel sound; mono and stereo stay two channels.
    case multichannel
    /// Everything.
    case everything

    /// The policy in a word, as users and motion logs know it.
    package var word: String {
        switch self {
        case .nothing: "none"
        case .monoAndStereo: "stereo"
        case .multichannel: "multichannel"
        case .everything: "all"
        }
    }

    /// Whether sound of so many channels is placed on the stage.
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

/// How a stage meets the listener's head.
package enum StageMode: UInt8, Worded, Hashable, Sendable, BitwiseCopyable {
    /// No stage: two channels to two ears.
    case off
    /// A stage that hangs from the head and turns with it.
    case fixed
    /// A stage that stays where it is when the head turns.
    case tracked

    /// The mode in a word, as users and motion logs know it.
    package var word: String {
        switch self {
        case .off: "off"
        case .fixed: "fixed"
        case .tracked: "tracked"
        }
    }

    // Patterns: `==` would need the type's metadata on the audio thread.

    /// Whether there is a stage.
    package var hasStage: Bool { @_noLocks get { if case .off = self { false } else { true } } }

    /// Whether the stage stays where it is.
    package var isTracked: Bool { @_noLocks get { if case .tracked = self { true } else { false } } }
}

/// What a programme is to the listener, whatever the mode of the session.
package enum ProgrammeRole: String, CaseIterable, Hashable, Sendable {
    /// Stays with the stage.
    case tracked
    /// Stays with the head.
    case fixed
    /// Untouched to the two ears: sound that is binaural already, a talkback, a click.
    case direct

    /// The mode of this programme in a session of mode `mode`: a programme is never tied to the stage more than its
    /// role.
    package func mode(in mode: StageMode) -> StageMode {
        switch self {
        case .tracked: mode
        case .fixed: mode == .off ? .off : .fixed
        case .direct: .off
        }
    }
}

/// What kind of programme is played, which decides what is spatialized unless it is chosen.
package enum ProgrammeContent: String, CaseIterable, Hashable, Sendable {
    /// Picture with sound: all formats are placed on the stage.
    case av
    /// Music and speech: multichannel only; stereo stays stereo until asked.
    case audio

    /// The policy for this content where none was chosen.
    package var policy: SpatializationPolicy { self == .av ? .everything : .multichannel }
}
