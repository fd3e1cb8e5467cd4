import Soundstage

/// What `render` was asked to do.
package struct RenderSettings: Sendable {
    /// The sound.
    package var stage: StageSettings
    /// The programme's path.
    package var input: String
    /// The binaural file's path.
    package var output: String
    /// How the binaural file is written.
    package var written: OutputChoice
    /// How the programme's channels are ordered where the file does not say; nil: by its metadata, else as in WAVE.
    package var order: ChannelOrder?
    /// The head's orientation in degrees, where there is no log.
    package var yaw: Double, pitch: Double, roll: Double
    /// A pose log's path; nil: the head is still.
    package var poses: String?
    /// A motion log's path, likewise.
    package var motion: String?
    /// Frames per period; nil: the motion log's, else 1024.
    package var block: Int?
    /// Whether the filters ring out after the programme's end.
    package var tail: Bool

    /// All choices.
    package init(
        stage: StageSettings, input: String, output: String, written: OutputChoice = OutputChoice(),
        order: ChannelOrder? = nil, yaw: Double = 0, pitch: Double = 0,
        roll: Double = 0, poses: String? = nil, motion: String? = nil, block: Int? = nil, tail: Bool = true
    ) {
        self.stage = stage
        self.input = input
        self.output = output
        self.written = written
        self.order = order
        self.yaw = yaw
        self.pitch = pitch
        self.roll = roll
        self.poses = poses
        self.motion = motion
        self.block = block
        self.tail = tail
    }
}
