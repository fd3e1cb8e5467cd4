import Soundstage

/// What is played on the stage and how it meets the listener.
package struct ProgrammeSettings: Sendable {
    /// What is said of the main programme by the table of parameters, for inputs' own groups; the mode is that of all inputs.
    package var changes: [ParameterChange]
    /// What kind of programme is played; nil: by its metadata, else `av`.
    package var content: ProgrammeContent?
    /// How loud the main programme is made, and how its dynamics are compressed.
    package var dynamics: DynamicsSettings
    /// Inputs beside the main one.
    package var inputs: [InputSettings]
    /// Two renditions of the main programme, and the look-ahead over all.
    package var renditions: RenditionSettings
    /// How stereo is upmixed into the stage.
    package var opening = OpeningSettings()

    /// All choices.
    package init(
        changes: [ParameterChange] = [], content: ProgrammeContent? = nil,
        dynamics: DynamicsSettings = DynamicsSettings(), inputs: [InputSettings] = [],
        renditions: RenditionSettings = RenditionSettings()
    ) {
        self.changes = changes
        self.content = content
        self.dynamics = dynamics
        self.inputs = inputs
        self.renditions = renditions
    }

    /// How the stage meets the head.
    var mode: StageMode { changes["mode"].flatMap { StageMode(word: $0.word) } ?? .tracked }
}
