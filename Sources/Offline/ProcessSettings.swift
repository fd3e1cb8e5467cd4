import AudioIO
import Soundstage
import Stages

/// Settings of `process`.
package struct ProcessSettings: Sendable {
    /// Values of the programme: layout, angles, field convention, Audio Mix, stabilisation, gain, plugins; and the
    /// headphones' equalisation, for stereo only. Other values are unused.
    package var stage: StageSettings
    /// The programme's path.
    package var input: String
    /// The output's path.
    package var output: String
    /// The layout to convert to: a name or a path to a JSON file; nil: that of the programme, or of its upmix.
    package var target: String?
    /// Order and scale of a sound field's channels in the output; nil: Furse-Malham in B-format, else AmbiX. Unused for
    /// loudspeakers.
    package var targetAmbisonics: AmbisonicFormat.Convention?
    /// Format of the output.
    package var written: OutputChoice
    /// Channel order of the programme if the file does not define it; nil: by its metadata, otherwise as in WAVE.
    package var order: ChannelOrder?
    /// Gain of the LFE channel if the target has none, dB; nil: it is omitted.
    package var lfeGain: Double?
    /// Settings of the fold-down.
    package var fold: FoldSettings
    /// Whether the gain is lowered so that peaks do not exceed full scale.
    package var fits: Bool
    /// Loudness to which the gain brings the output, as far as its true peak permits; nil or `off`: the gain is not
    /// changed.
    package var loudness: LoudnessTarget?
    /// Upmix of stereo or mono to more loudspeakers before the conversion; none without a mode.
    package var upmix: UpmixChoices
    /// Folder for the stems of an Audio Mix; nil: no stems.
    package var stems: String?
    /// Section that is written.
    package var excerpt: Excerpt
    /// How the programme's file is read, and the rate of the output.
    package var reading = ReadingChoice()

    /// Sets all fields.
    package init(
        stage: StageSettings, input: String, output: String, target: String?,
        targetAmbisonics: AmbisonicFormat.Convention? = nil, written: OutputChoice = OutputChoice(),
        order: ChannelOrder? = nil, lfeGain: Double? = nil, fold: FoldSettings = FoldSettings(), fits: Bool = false,
        loudness: LoudnessTarget? = nil, upmix: UpmixChoices = UpmixChoices(), stems: String? = nil,
        excerpt: Excerpt = Excerpt()
    ) {
        self.stage = stage
        self.input = input
        self.output = output
        self.target = target
        self.targetAmbisonics = targetAmbisonics
        self.written = written
        self.order = order
        self.lfeGain = lfeGain
        self.fold = fold
        self.fits = fits
        self.loudness = loudness
        self.upmix = upmix
        self.stems = stems
        self.excerpt = excerpt
    }

    /// Whether the gain depends on the sound, which is then read twice.
    var measures: Bool { fits || loudness?.loudness != nil }
}
