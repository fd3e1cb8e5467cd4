import AudioIO
import Foundation
import Metering
import Signal
import Soundstage
import Stages

/// What `bake` did, for the user and for programs.
package struct BakeReport: Codable, Sendable {
    /// The fold-down.
    package struct Stereo: Codable, Sendable {
        /// Its path.
        package let output: String
        /// dB by which it was lowered (≤ 0), so that its true peak stays at −1 dBTP or below.
        package let gain: Double
        /// Integrated loudness, LUFS, and true peak, dBTP, as written; nil for silence.
        package let loudness: Double?, truePeak: Double?

        /// What it is, in words.
        package let kind: String

        /// A baked file and what it was made of.
        package init(_ path: String, _ fold: FoldSettings, gain: Double, _ metadata: ProgrammeMetadata) {
            output = path
            kind = fold.bakedText
            self.gain = gain
            loudness = metadata.loudness
            truePeak = metadata.truePeak
        }
    }

    /// The programme's path and the multichannel file's.
    package let input: String, output: String
    /// Name of the layout.
    package let layout: String
    /// Hertz.
    package let sampleRate: Double
    /// Frames in each file.
    package let frames: Int
    /// Loudness of the programme.
    package let loudness: LoudnessReadings
    /// Input samples that were replaced, see `Samples.cleanse`.
    package let nonFiniteSamples: Int
    /// How the sound field was mixed anew, in words; nil where it was not.
    package let mix: String?
    /// The fold-down; nil where the programme is stereo already.
    package var stereo: Stereo?
    /// Remarks about the files.
    package var remarks: [String]

    init(
        _ settings: BakeSettings, _ programme: InputProgramme, _ layout: Layout,
        _ measured: (summary: MatrixConversion.Summary, loudness: LoudnessReadings)
    ) {
        input = settings.input
        output = settings.output
        self.layout = layout.name
        sampleRate = programme.reader.sampleRate.hertz
        frames = measured.summary.frames
        loudness = measured.loudness
        nonFiniteSamples = measured.summary.nonFinite
        mix = settings.stage.programmes.mixSummary
        remarks = programme.remarks
    }

    /// The same in words.
    package var lines: [String] {
        var lines = [
            String(format: "%@: %@, %.1f s at %.0f Hz, ", output, layout, Double(frames) / sampleRate, sampleRate)
                + loudness.summary,
            "parameters in \(ProgrammeMetadata.path(besideFile: output))",
        ]
        if let stereo {
            let loud = stereo.loudness.map { String(format: "%.1f LUFS", $0) } ?? "silence"
            lines.append(
                "\(stereo.output): \(stereo.kind), \(loud), "
                    + (stereo.gain < 0
                        ? String(format: "lowered by %.2f dB to a true peak of -1 dBTP", -stereo.gain) : "gain 0 dB"))
        } else {
            lines.append("stereo already: no fold-down is written")
        }
        if let mix { lines.append(mix) }
        if nonFiniteSamples > 0 { lines.append(Samples.replacement(nonFiniteSamples)) }
        return lines + remarks
    }
}

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
    /// How the fold-down is made.
    package var fold: FoldSettings
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
    /// A folder for the stems of an Audio Mix; nil: none are written.
    package var stems: String?

    /// All choices.
    package init(
        stage: StageSettings, input: String, output: String, stereo: String? = nil,
        fold: FoldSettings = FoldSettings(), written: OutputChoice = OutputChoice(), order: ChannelOrder? = nil,
        dynamics: DynamicsSettings = DynamicsSettings(), content: ProgrammeContent? = nil,
        changes: [ParameterChange] = [], stems: String? = nil
    ) {
        self.stage = stage
        self.input = input
        self.output = output
        self.stereo = stereo
        self.fold = fold
        self.written = written
        self.order = order
        self.dynamics = dynamics
        self.content = content
        self.changes = changes
        self.stems = stems
    }

    /// Where the stereo file goes.
    package var stereoPath: String {
        if let stereo { return stereo }
        let slash = output.lastIndex(of: "/") ?? output.startIndex
        guard let dot = output.lastIndex(of: "."), dot > slash else { return output + ".stereo" }
        return output[..<dot] + ".stereo" + output[dot...]
    }
}
