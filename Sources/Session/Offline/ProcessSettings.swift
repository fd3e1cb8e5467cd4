import Soundstage

/// What `process` was asked to do.
package struct ProcessSettings: Sendable {
    /// The programme: layout, angles, field convention, gain; all else is unused.
    package var stage: StageSettings
    /// The programme's path.
    package var input: String
    /// The output's path.
    package var output: String
    /// The layout to render to: a name or a path to a JSON file.
    package var target: String
    /// How the channels of a sound field are ordered and scaled in the output; unused for loudspeakers.
    package var targetAmbisonics: AmbisonicFormat.Convention
    /// How the output is written.
    package var written: OutputChoice
    /// How the programme's channels are ordered where the file does not say; nil: by its metadata, else as in WAVE.
    package var order: ChannelOrder?
    /// dB of the LFE channel where the target has none; nil: it is left out.
    package var lfeGain: Double?
    /// Whether the gain is lowered to what keeps peaks at full scale or below.
    package var fits: Bool
    /// How stereo or mono is opened into a stage before it is rendered; nothing is opened where it names no mode.
    package var opening: OpeningSettings

    /// All choices.
    package init(
        stage: StageSettings, input: String, output: String, target: String,
        targetAmbisonics: AmbisonicFormat.Convention = .sn3d, written: OutputChoice = OutputChoice(),
        order: ChannelOrder? = nil, lfeGain: Double? = nil, fits: Bool = false,
        opening: OpeningSettings = OpeningSettings()
    ) {
        self.stage = stage
        self.input = input
        self.output = output
        self.target = target
        self.targetAmbisonics = targetAmbisonics
        self.written = written
        self.order = order
        self.lfeGain = lfeGain
        self.fits = fits
        self.opening = opening
    }
}
