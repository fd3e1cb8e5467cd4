import AudioIO
import Foundation
import Metering
import Racks
import Signal
import Soundstage
import Stages

/// Report of `process`, for the user and for programs.
package struct ProcessReport: Codable, Sendable {
    /// Paths of the programme and of the output.
    package let input: String, output: String
    /// Layouts of the programme and of the output; sound fields with their convention.
    package let from: String, to: String
    /// Sample rate, Hz.
    package let sampleRate: Double
    /// Frames written.
    package let frames: Int
    /// Overall gain, dB: as requested, as lowered to prevent clipping, or as set for a requested loudness.
    package let gain: Double
    /// Loudness of the output as written, if one was requested; nil otherwise.
    package let loudness: LoudnessReadings?
    /// Largest magnitude of a sample before conversion to integers clips it, dBFS; −200 for silence.
    package let peak: Double
    /// Count of samples beyond full scale; clipped if the output holds integers.
    package let beyondFullScale: Int
    /// Whether these samples were clipped.
    package let clipped: Bool
    /// Count of input samples that were replaced; see `Samples.cleanse`.
    package let nonFiniteSamples: Int
    /// Description of the upmix before the conversion; nil without one.
    package let upmix: String?
    /// Description of the mix of the sound field; nil without one.
    package let mix: String?
    /// Plugins and their latency, which is removed, in words; nil without any.
    package let plugins: String?
    /// The equalisation of headphones, a line each; empty without one.
    package let headphones: [String]
    /// Description of the fold-down; nil for the usual one.
    package let fold: String?
    /// Treatment of the LFE channel; nil if the programme has none.
    package let lfe: String?
    /// Remarks about the files.
    package let remarks: [String]

    init(
        _ settings: ProcessSettings, _ programme: InputProgramme, _ upmixed: UpmixedProgramme?,
        _ inserted: InsertedProgramme?, _ equalised: HeadphonesInUse?, _ target: Layout,
        gain: Double, _ summary: MatrixConversion.Summary, loudness: LoudnessReadings?, clips: Bool, remarks: [String]
    ) {
        input = settings.input
        output = settings.output
        from = Self.name(programme.layout)
        to = Self.name(target)
        sampleRate = programme.reader.sampleRate.hertz
        frames = summary.frames
        self.gain = gain
        self.loudness = loudness
        peak = summary.peak > 0 ? 20 * log10(Double(summary.peak)) : -200
        beyondFullScale = summary.beyondFullScale
        clipped = clips && summary.beyondFullScale > 0
        nonFiniteSamples = summary.nonFinite
        upmix = upmixed.map {
            "upmixed to \($0.layout.name), \(settings.upmix.law.rawValue), \(settings.upmix.latency.rawValue)"
        }
        mix = settings.stage.programmes.mixSummary
        plugins = inserted?.plugins.summary
        headphones = equalised?.lines ?? []
        fold = settings.fold.text
        // An upmix leaves the LFE channel silent, so only the programme's own LFE channel matters.
        if !programme.layout.loudspeakers.contains(where: \.isLowFrequency) {
            lfe = nil
        } else if target.loudspeakers.contains(where: \.isLowFrequency) {
            lfe = "to LFE as it is (in band 10 dB below the others, BS.775)"
        } else if let lfeGain = settings.lfeGain {
            lfe = "mixed in at \(Decibels(lfeGain))"
        } else {
            lfe = "left out (BS.775); --lfe-gain mixes it in"
        }
        self.remarks = remarks
    }

    private static func name(_ layout: Layout) -> String {
        layout.name + (layout.ambisonics.map { " (\($0.convention.rawValue))" } ?? "")
    }

    /// Returns the text on samples beyond full scale, after a comma; empty without any. `advice` is for clipped
    /// samples.
    static func beyond(_ count: Int, _ clipped: Bool, _ advice: String) -> String {
        guard count > 0 else { return "" }
        return clipped ? ", CLIPPED: \(count) samples (\(advice))" : ", \(count) samples beyond full scale"
    }

    /// The report in words.
    package var lines: [String] {
        var lines = [
            "\(from) to \(to)" + (upmix.map { ", \($0)" } ?? "") + (fold.map { ", \($0)" } ?? "")
                + (lfe.map { ", LFE \($0)" } ?? "")
        ]
        lines.append(
            String(
                format: "%@: %.1f s at %.0f Hz, gain %+.1f dB, peak %.1f dBFS%@", output, Double(frames) / sampleRate,
                sampleRate, gain, peak,
                Self.beyond(beyondFullScale, clipped, "use --fit, lower --gain or write floating point")))
        if let loudness { lines.append("as written: \(loudness.summary)") }
        lines += [mix, plugins].compactMap(\.self) + headphones
        if nonFiniteSamples > 0 { lines.append(Samples.replacement(nonFiniteSamples)) }
        return lines + remarks
    }
}
