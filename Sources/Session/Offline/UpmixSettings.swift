import Foundation
import Soundstage

/// What `upmix` was asked to do.
package struct UpmixSettings: Sendable {
    /// The programme's path and the output's.
    package var input: String, output: String
    /// How it is opened: with the look-ahead of a player, unless asked otherwise.
    package var opening: OpeningSettings
    /// Whether the surrounds are decorrelated.
    package var decorrelates = true
    /// How the output is written.
    package var written = OutputChoice()

    /// From here to there, all else as usual.
    package init(input: String, output: String) {
        self.input = input
        self.output = output
        opening = OpeningSettings()
        opening.latency = .player
    }
}

/// What `upmix` did, for the user and for programs.
package struct UpmixReport: Codable, Sendable {
    /// The programme's path and the output's.
    package let input: String, output: String
    /// The output's layout, the law kept, and the latency of the masks.
    package let layout: String, mode: String, latency: String
    /// Frames an upmix by these settings delays when it plays live; taken off here.
    package let latencyFrames: Int
    /// Hertz.
    package let sampleRate: Double
    /// Frames written.
    package let frames: Int
    /// Largest sample, dBFS.
    package let peak: Double
    /// Input samples that were not finite and were replaced by silence.
    package let nonFiniteSamples: Int
    /// What there is to say about the files.
    package let remarks: [String]

    /// The same in words.
    package var lines: [String] {
        var lines = [
            "stereo to \(layout), \(mode), \(latency) (\(latencyFrames) frames, taken off)",
            String(
                format: "%@: %.1f s at %.0f Hz, peak %.1f dBFS", output, Double(frames) / sampleRate, sampleRate, peak),
        ]
        if nonFiniteSamples > 0 { lines.append("\(nonFiniteSamples) input samples were not finite and were silenced") }
        return lines + remarks
    }
}
