import Foundation

/// What `upmix` was asked to do.
package struct UpmixSettings: Sendable {
    /// Which law is kept, see `Documentation/upmix.md`.
    package enum Mode: String, Sendable, CaseIterable { case identity, energy }
    /// Whose latency the masks have; the output is aligned either way.
    package enum Latency: String, Sendable, CaseIterable { case player, live }
    /// What becomes of a programme in one channel.
    package enum Mono: String, Sendable, CaseIterable { case centre, wide }

    /// The programme's path and the output's.
    package var input: String, output: String
    /// Name of the layout to open the programme into.
    package var layout = "5.1"
    /// The law, the latency, and the place of mono.
    package var mode = Mode.identity, latency = Latency.player, mono = Mono.centre
    /// Amounts, 0…1.
    package var centre = 1.0, width = 0.0, ambience = 1.0
    /// Whether the surrounds are decorrelated.
    package var decorrelates = true
    /// How the output is written.
    package var written = OutputChoice()

    /// From here to there, all else as usual.
    package init(input: String, output: String) {
        self.input = input
        self.output = output
    }

    /// How the programme is opened.
    var opening: OpeningSettings {
        var opening = OpeningSettings()
        (opening.mode, opening.layout, opening.latency, opening.mono) = (mode, layout, latency, mono)
        (opening.centre, opening.width, opening.ambience) = (centre, width, ambience)
        return opening
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
