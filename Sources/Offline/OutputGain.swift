import AudioIO
import Foundation
import Loading
import Metering
import Rendering
import Signal
import Soundstage
import Stages

/// Gain of a whole output, dB: as given, or lowered so that no sample exceeds full scale, or set so that the output has
/// a requested loudness.
struct OutputGain {
    /// Greatest true peak of an output after a command has set its level, dBTP, by EBU R 128.
    static let ceiling = -1.0

    /// Gain, dB.
    let gain: Double
    /// By how much the output is below the requested loudness because of the ceiling, LU; nil if it is not.
    private(set) var shortfall: Double?

    /// Finds the gain for `settings`. If the gain depends on the sound, the programme is read once and rewound.
    ///
    /// The gain is that of the whole programme, whatever section is written, so that adjacent sections have the same
    /// gain.
    ///
    /// - Parameters:
    ///   - matrix: gains from the programme's channels to those of the output.
    ///   - target: layout of the output. Its channel weights apply to the loudness.
    ///   - progress: receives the share of this pass; returns false to cancel.
    /// - Throws: errors of reading; an error if a loudness is requested and the programme has none.
    init(
        _ settings: ProcessSettings, of programme: some ProgrammeFrames, through matrix: ChannelMatrix,
        equalised equalisation: HeadphoneEqualisation?, in target: Layout, sampleRate: SampleRate,
        progress: (Double) -> Bool
    ) throws(SessionError) {
        let given = settings.stage.gain
        let loudness = settings.loudness?.loudness
        guard settings.measures else {
            gain = given
            return
        }
        let meter = loudness.map { _ in LoudnessMeter(sampleRate: sampleRate, weights: target.loudnessWeights) }
        let peak: Float
        do throws(SoundFileError) {
            peak = try MatrixConversion(
                matrix: matrix, gain: Float(Decibels(given).amplitude), equalisation: equalisation
            ).run(
                from: programme, into: nil,
                hears: { meter?.add($0, from: $1.lowerBound, frames: $1.count) }, progress: progress
            ).peak
            try programme.rewind()
        } catch {
            throw SessionError(error)
        }
        equalisation?.restart()
        guard let meter, let loudness else {
            gain = peak > 1 ? given - (Decibels(amplitude: Double(peak)).value + 0.01) : given
            return
        }
        guard let wanted = meter.gain(to: loudness) else {
            throw SessionError(
                .input,
                "\(settings.input) has no loudness to bring to \(loudness) LUFS: it is silent, below -70 LUFS throughout, or "
                    + "shorter than 0.4 s; leave out --loudness-target", remedy: Remedy("--loudness-target", nil))
        }
        let most = Self.ceiling - (meter.read().truePeak ?? -200)
        gain = given + min(wanted, most)
        if wanted - most > 0.005 { shortfall = wanted - most }
    }

    /// Remark for the report; nil without one.
    var remark: String? {
        shortfall.map {
            String(format: "%.1f LU", $0)
                + " below the loudness requested, because the true peak reaches \(Int(Self.ceiling)) dBTP; "
                + "no limiter acts here"
        }
    }
}
