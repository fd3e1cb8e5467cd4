import Soundstage

/// What is played on the stage and how it meets the listener, in the words of the command line.
package struct ProgrammeSettings: Sendable {
    /// How the stage meets the head.
    package enum Mode: String, Sendable, CaseIterable {
        case off, fixed, tracked

        /// The same, as the engine takes it.
        var mode: StageMode {
            switch self {
            case .off: .off
            case .fixed: .fixed
            case .tracked: .tracked
            }
        }
    }

    /// What is placed on the stage.
    package enum Spatialization: String, Sendable, CaseIterable {
        case none, stereo, multichannel, all

        /// The same, as the engine takes it.
        var policy: SpatializationPolicy {
            switch self {
            case .none: .nothing
            case .stereo: .monoAndStereo
            case .multichannel: .multichannel
            case .all: .everything
            }
        }
    }

    /// What kind of programme is played.
    package enum Content: String, Sendable, CaseIterable {
        case av, audio

        /// The same, as the engine takes it.
        var content: ProgrammeContent { self == .av ? .av : .audio }
    }

    /// How the stage meets the head.
    package var mode: Mode
    /// What is placed on the stage; nil: by the content.
    package var spatialization: Spatialization?
    /// What kind of programme is played; nil: by its metadata, else `av`.
    package var content: Content?
    /// Over which angle each source of the main programme is spread, degrees, 0…180; nil: by its metadata, else not at all.
    package var width: Double?
    /// How loud the main programme is made, and how its dynamics are compressed.
    package var dynamics: DynamicsSettings
    /// Inputs beside the main one.
    package var inputs: [InputSettings]
    /// Two renditions of the main programme, and the look-ahead over all.
    package var renditions: RenditionSettings
    /// How stereo is opened into the stage.
    package var opening = OpeningSettings()

    /// All choices.
    package init(
        mode: Mode = .tracked, spatialization: Spatialization? = nil, content: Content? = nil,
        dynamics: DynamicsSettings = DynamicsSettings(), inputs: [InputSettings] = [],
        renditions: RenditionSettings = RenditionSettings()
    ) {
        self.mode = mode
        self.spatialization = spatialization
        self.content = content
        self.dynamics = dynamics
        self.inputs = inputs
        self.renditions = renditions
    }

    /// Whether there is a stage and more than stereo stands on it, which is all a sound field can do.
    var placesFields: Bool {
        mode != .off && spatialization != ProgrammeSettings.Spatialization.none && spatialization != .stereo
    }
}
