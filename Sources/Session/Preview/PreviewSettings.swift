import Soundstage

/// What `preview` was asked to do.
package struct PreviewSettings: Sendable {
    /// The session that renders: sound, trackers, JACK. Its layout names what the files are; nil: what they say.
    package var live: LiveSettings
    /// The files, in order; at least one.
    package var files: [String]
    /// How a file's channels are ordered where it does not say.
    package var order: ChannelOrder?
    /// Whether the list begins again when it ends.
    package var loops: Bool
    /// Seconds into the first file at which it begins.
    package var from: Double

    /// All choices.
    package init(
        live: LiveSettings, files: [String], order: ChannelOrder? = nil, loops: Bool = false, from: Double = 0
    ) {
        self.live = live
        self.files = files
        self.order = order
        self.loops = loops
        self.from = from
    }
}

/// What plays, for the status line and for programs.
package struct PreviewStatus: Codable, Sendable {
    /// Path of the file that plays; its place in the list, from 1; how many there are.
    package var file: String, number: Int, count: Int
    /// Seconds into the file, and its length.
    package var seconds: Double, duration: Double
    /// Whether the user paused it, and whether the list begins again.
    package var isPaused: Bool, loops: Bool
    /// The player's gain, dB.
    package var gain: Double
    /// Times the file could not be read in time, and the frames of silence that made.
    package var underruns: Int, missedFrames: Int
    /// Samples that were not finite and were silenced.
    package var nonFiniteSamples: Int
    /// The session that renders.
    package var session: SessionStatus
}
