import AudioIO
import Foundation
import HRTF
import Metering
import MotionLogs
import Rendering
import Rooms
import Signal
import Soundstage

/// What `render` did, for the user and for programs.
package struct RenderReport: Codable, Sendable {
    /// The programme's path and the output's.
    package let input: String, output: String
    /// Name of the layout in use.
    package let layout: String
    /// Order and scale of a sound field's channels; nil for loudspeakers.
    package let ambisonics: String?
    /// Name of the HRTF set, its path and licence, and what was done to it.
    package let hrtf: String, hrtfPath: String, hrtfLicence: String
    /// What is known of the room, one fact a line; empty where the stage is dry.
    package let room: [String]
    /// What was done to the set, one step a line.
    package let hrtfProcessing: [String]
    /// How stereo was opened into the stage; nil where it was not.
    package let upmix: String?
    /// Hertz, of input and output.
    package let sampleRate: Double
    /// Frames written.
    package let frames: Int
    /// dB before the output guard: trim plus gain.
    package let gain: Double
    /// Largest sample written, dBFS.
    package let peak: Double
    /// Whether a sample beyond full scale reached the output guard.
    package let clipped: Bool
    /// Input samples that were not finite and were replaced by silence.
    package let nonFiniteSamples: Int
    /// What there is to say about the files: sound that is missing, texts the output has no place for.
    package let remarks: [String]
    /// What there is to say about the motion log, one fact a line; empty without one.
    package let motion: [String]
    /// What was done to its level and place by its metadata or the user, one fact a line.
    package var levels: [String] = []
    /// Loudness of the programme as delivered.
    package var loudness = LoudnessReadings()
    /// Loudness of the two ears; informative only, see `LoudnessStatus`.
    package var earLoudness = LoudnessReadings()

    init(
        _ settings: RenderSettings, _ reader: SoundFileReader, _ stage: StageAssembly, _ summary: OfflineRender.Summary,
        _ recording: MotionRecording? = nil, remarks: [String] = []
    ) {
        self.remarks = remarks
        let telemetry = stage.renderer.telemetry()
        input = settings.input
        output = settings.output
        layout = stage.layout.name
        ambisonics = stage.layout.ambisonics?.convention.rawValue
        hrtf = stage.report.name
        hrtfPath = stage.report.path
        hrtfLicence = stage.report.licence
        hrtfProcessing = stage.report.processing + stage.report.remarks + [stage.decoding].compactMap(\.self)
        room = stage.room?.report.lines ?? []
        upmix = stage.opening
        sampleRate = reader.sampleRate.hertz
        frames = summary.frames
        gain = settings.stage.choices.trim + settings.stage.gain
        peak = summary.peak > 0 ? 20 * log10(Double(summary.peak)) : -200
        clipped = (telemetry?.clippedPeriods ?? 0) > 0
        nonFiniteSamples = telemetry?.refusedSamples ?? 0
        motion =
            recording?.remarks(
                settings, sampleRate: reader.sampleRate, layout: layout, hrtf: hrtf,
                room: stage.roomWord,
                upmix: stage.openingWord) ?? []
    }

    /// The same in words.
    package var lines: [String] {
        var lines = [
            "layout \(layout)\(ambisonics.map { " (\($0))" } ?? ""), HRTF \(hrtf) (\(hrtfPath)); licence: \(hrtfLicence)",
            "processing:" + (hrtfProcessing.isEmpty ? " none" : ""),
        ]
        lines += hrtfProcessing.map { "  \($0)" }
        lines += [upmix].compactMap(\.self) + room
        lines += [
            String(
                format: "%@: %.1f s at %.0f Hz, trim and gain %+.1f dB, peak %.1f dBFS%@", output,
                Double(frames) / sampleRate, sampleRate, gain, peak,
                clipped ? ", CLIPPED before the guard (lower --gain)" : "")
        ]
        lines += levels
        lines.append("input: \(loudness.summary)")
        lines.append("ears: \(earLoudness.summary) (informative: BS.1770 hears through a head of its own)")
        lines += motion + remarks
        if nonFiniteSamples > 0 { lines.append("\(nonFiniteSamples) input samples were not finite and were silenced") }
        return lines
    }
}
