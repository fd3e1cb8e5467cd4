import AudioIO
import Foundation
import Metering
import Signal
import Soundstage
import Stages

/// Report of `bake`, for the user and for programs.
package struct BakeReport: Codable, Sendable {
    /// The fold-down.
    package struct Stereo: Codable, Sendable {
        /// Path of the file.
        package let output: String
        /// Gain applied, dB (≤ 0), which keeps the true peak at −1 dBTP or below.
        package let gain: Double
        /// Integrated loudness, LUFS, and true peak, dBTP, as written; nil for silence.
        package let loudness: Double?, truePeak: Double?

        /// Kind of the fold-down, in words.
        package let kind: String

        /// Creates the report of a file from its fold-down and metadata.
        package init(_ path: String, _ fold: FoldSettings, gain: Double, _ metadata: ProgrammeMetadata) {
            output = path
            kind = fold.bakedText
            self.gain = gain
            loudness = metadata.loudness
            truePeak = metadata.truePeak
        }
    }

    /// Paths of the programme and of the multichannel file.
    package let input: String, output: String
    /// Name of the layout.
    package let layout: String
    /// Sample rate, Hz.
    package let sampleRate: Double
    /// Frames in each file.
    package let frames: Int
    /// Loudness of the programme, as written.
    package let loudness: LoudnessReadings
    /// Count of samples beyond full scale; clipped if the output holds integers.
    package let beyondFullScale: Int
    /// Whether these samples were clipped.
    package let clipped: Bool
    /// Count of input samples that were replaced; see `Samples.cleanse`.
    package let nonFiniteSamples: Int
    /// Description of the mix of the sound field; nil without one.
    package let mix: String?
    /// The fold-down; nil if the programme is stereo already.
    package var stereo: Stereo?
    /// Remarks about the files.
    package var remarks: [String]

    init(
        _ settings: BakeSettings, _ programme: InputProgramme, _ layout: Layout,
        _ measured: (summary: MatrixConversion.Summary, loudness: LoudnessReadings), clips: Bool
    ) {
        input = settings.input
        output = settings.output
        self.layout = layout.name
        sampleRate = programme.reader.sampleRate.hertz
        frames = measured.summary.frames
        loudness = measured.loudness
        beyondFullScale = measured.summary.beyondFullScale
        clipped = clips && measured.summary.beyondFullScale > 0
        nonFiniteSamples = measured.summary.nonFinite
        mix = settings.stage.programmes.mixSummary
        remarks = programme.remarks
    }

    /// The report in words.
    package var lines: [String] {
        var lines = [
            String(format: "%@: %@, %.1f s at %.0f Hz, ", output, layout, Double(frames) / sampleRate, sampleRate)
                + loudness.summary + ProcessReport.beyond(beyondFullScale, clipped, "write floating point")
        ]
        if output != StandardStream.name {
            lines.append("parameters in \(ProgrammeMetadata.path(besideFile: output))")
        }
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

/// Settings of `bake`.
package struct BakeSettings: Sendable {
    /// Layout, angles and field convention of the programme, and its Audio Mix and stabilisation; other values are
    /// unused.
    package var stage: StageSettings
    /// The programme's path.
    package var input: String
    /// The multichannel file's path.
    package var output: String
    /// The stereo file's path; nil: `.stereo` before the output's extension.
    package var stereo: String?
    /// Settings of the fold-down.
    package var fold: FoldSettings
    /// Format of both files.
    package var written: OutputChoice
    /// Channel order of the programme if the file does not define it; nil: by its metadata, otherwise as in WAVE.
    package var order: ChannelOrder?
    /// The user's settings. Only dialnorm and profile are used; nil keeps the value of the metadata file.
    package var dynamics: DynamicsSettings
    /// Kind of the programme; nil keeps that of the metadata file.
    package var content: ProgrammeContent?
    /// Changes of the parameters `place` and `source-width`; others are unused. Without a change, the value of the
    /// metadata file is kept.
    package var changes: [ParameterChange]
    /// Folder for the stems of an Audio Mix; nil: no stems.
    package var stems: String?
    /// Section that is written and measured; the gain of the fold-down is that of the whole programme.
    package var excerpt: Excerpt
    /// How the programme's file is read, and the rate of the output.
    package var reading = ReadingChoice()

    /// Sets all fields.
    package init(
        stage: StageSettings, input: String, output: String, stereo: String? = nil,
        fold: FoldSettings = FoldSettings(), written: OutputChoice = OutputChoice(), order: ChannelOrder? = nil,
        dynamics: DynamicsSettings = DynamicsSettings(), content: ProgrammeContent? = nil,
        changes: [ParameterChange] = [], stems: String? = nil, excerpt: Excerpt = Excerpt()
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
        self.excerpt = excerpt
    }

    /// Returns the metadata `known` with the user's settings in place of its own.
    package func metadata(over known: ProgrammeMetadata) -> ProgrammeMetadata {
        var metadata = known
        metadata.dialnorm = dynamics.dialnorm ?? known.dialnorm
        metadata.drc = dynamics.profile ?? known.drc
        metadata.content = content ?? known.content
        metadata.width = changes["source-width"]?.number ?? known.width
        if let angles = changes["place"]?.numbers {
            metadata.place = ProgrammeMetadata.Place(yaw: angles[0], pitch: angles[1], roll: angles[2])
        }
        return metadata
    }

    /// Whether the programme gets a fold-down, as all but stereo do. Also true if the file cannot be read.
    package var hasFoldDown: Bool {
        let programme = try? InputProgramme(input, stage, order: order, reading: reading, mayBeStale: true)
        return programme?.layout.name != "stereo"
    }

    /// Path of the stereo file.
    package var stereoPath: String {
        if let stereo { return stereo }
        let slash = output.lastIndex(of: "/") ?? output.startIndex
        guard let dot = output.lastIndex(of: "."), dot > slash else { return output + ".stereo" }
        return output[..<dot] + ".stereo" + output[dot...]
    }
}
