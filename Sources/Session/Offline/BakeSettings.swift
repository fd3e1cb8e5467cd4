import Soundstage

/// What `bake` was asked to do.
package struct BakeSettings: Sendable {
    /// The programme: layout, angles, field convention; all else is unused.
    package var stage: StageSettings
    /// The programme's path.
    package var input: String
    /// The multichannel file's path.
    package var output: String
    /// The stereo file's path; nil: `.stereo` before the output's extension.
    package var stereo: String?
    /// How both files are written.
    package var written: OutputChoice
    /// How the programme's channels are ordered where the file does not say; nil: by its metadata, else as in WAVE.
    package var order: ChannelOrder?
    /// What the user says of the programme: dialnorm and profile count, nil keeps what stands beside the input.
    package var dynamics: DynamicsSettings
    /// Its kind; nil keeps.
    package var content: ProgrammeContent?
    /// Its place on the stage and the spread of its sources, by the table of parameters; what is not said is kept.
    package var changes: [ParameterChange]

    /// All choices.
    package init(
        stage: StageSettings, input: String, output: String, stereo: String? = nil,
        written: OutputChoice = OutputChoice(), order: ChannelOrder? = nil,
        dynamics: DynamicsSettings = DynamicsSettings(), content: ProgrammeContent? = nil,
        changes: [ParameterChange] = []
    ) {
        self.stage = stage
        self.input = input
        self.output = output
        self.stereo = stereo
        self.written = written
        self.order = order
        self.dynamics = dynamics
        self.content = content
        self.changes = changes
    }

    /// Where the stereo file goes.
    var stereoPath: String {
        if let stereo { return stereo }
        let slash = output.lastIndex(of: "/") ?? output.startIndex
        guard let dot = output.lastIndex(of: "."), dot > slash else { return output + ".stereo" }
        return output[..<dot] + ".stereo" + output[dot...]
    }
}
