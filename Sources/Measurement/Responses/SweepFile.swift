import AudioIO
import Foundation
import Signal
import Soundstage
import Sweeps
import Takes

/// Writes the files of `measure sweeps`: a sound file of sweeps for any player, with a channel for each loudspeaker of
/// a layout, and a text file that describes the sweeps; or a sound file of one channel with a single sweep.
package enum SweepFile {
    /// What was written.
    package struct Report: Encodable, Sendable {
        /// The sound file, and the text file beside it, which a single sweep does not have.
        package let files: [String]
        /// Loudspeakers in the order of their sweeps; none for a single sweep.
        package let loudspeakers: [String]
        /// Sample rate, hertz; length of the sound, and time between the starts of two successive sweeps, seconds (0
        /// for one sweep).
        package let sampleRate: Double, seconds: Double, spacing: Double
        /// Peak, dBFS.
        package let level: Double

        /// The report in words.
        package var lines: [String] {
            guard files.count > 1 else {
                return [
                    String(
                        format: "%@: a single sweep, %.1f s at %.6g Hz, peak %.3g dBFS", files[0], seconds, sampleRate,
                        level),
                    "play it with one loudspeaker after the other, and record both ears in two channels, from half a second "
                        + "before the sound to the file's end",
                    "then, each recording named by its loudspeaker: proscenium measure responses FL.wav FR.wav "
                        + "--sweep \(files[0]) --apart -o room.sofa",
                ]
            }
            return [
                String(
                    format: "%@: sweeps of %@, %.1f s at %.6g Hz, peak %.3g dBFS", files[0],
                    loudspeakers.joined(separator: " "), seconds, sampleRate, level),
                "play it, and record both ears in two channels, from half a second before the sound to its end",
                "then: proscenium measure responses RECORDING.wav --plan \(files[1]) -o room.sofa",
            ]
        }
    }

    /// Silence before a single sweep in its file, seconds: a player may begin with a fade.
    private static let pause = 0.5

    /// Writes a sound file of one channel: silence, a single sweep, and silence in which the room's sound decays. The
    /// file appears when it is complete.
    ///
    /// - Parameters:
    ///   - seconds: duration of the sweep, seconds.
    ///   - decay: duration of the silence after it, seconds.
    ///   - level: peak, dBFS.
    ///   - replaces: whether an existing file may be replaced.
    /// - Throws: `input` for a sweep that cannot be made at the sample rate; `sound` if the file cannot be written.
    package static func writeSingle(
        seconds: Double, decay: Double, level: Double, sampleRate: SampleRate, to path: String, replaces: Bool
    ) throws(ResponseError) -> Report {
        let sweep: ExponentialSweep
        do throws(SweepError) {
            sweep = try ExponentialSweep(seconds: seconds, sampleRate: sampleRate, amplitude: pow(10, level / 20))
        } catch { throw .input(error.description) }
        let before = Int((pause * sampleRate.hertz).rounded())
        let frames = before + sweep.samples.count + Int((decay * sampleRate.hertz).rounded())
        let block = PlanarBlock(channels: 1, frames: frames)
        for (i, sample) in sweep.samples.enumerated() { block[0][before + i] = sample }
        do throws(SoundFileError) {
            let writer = try SoundFileWriter(path: path, channels: 1, sampleRate: sampleRate, replaces: replaces)
            try writer.write(block, frames: frames)
            try writer.finish()
        } catch { throw .sound(error) }
        return Report(
            files: [path], loudspeakers: [], sampleRate: sampleRate.hertz, seconds: sampleRate.seconds(frames: frames),
            spacing: 0, level: level)
    }

    /// Returns the path of the text file beside a sound file.
    package static func text(of path: String) -> String { (path as NSString).deletingPathExtension + ".json" }

    /// Writes both files; each appears when it is complete.
    ///
    /// - Parameters:
    ///   - layout: layout of the sound file's channels; low-frequency channels are silent.
    ///   - replaces: returns whether an existing file of a path may be replaced.
    /// - Throws: `input` for sweeps that cannot be made at the sample rate; `sound` or `text` if a file cannot be
    ///   written.
    package static func write(
        _ played: PlayedSweeps, layout: Layout, to path: String, replaces: (String) -> Bool
    ) throws(ResponseError) -> Report {
        let plan: TakePlan
        do throws(SweepError) { plan = try played.plan() } catch { throw .input(error.description) }
        let signals = plan.signals()
        let block = PlanarBlock(channels: layout.channelCount, frames: plan.frames)
        for (channel, loudspeaker) in layout.loudspeakers.enumerated() {
            guard let part = plan.parts.firstIndex(where: { $0.loudspeaker == loudspeaker.symbol }) else { continue }
            for (i, sample) in signals[part].enumerated() { block[channel][i] = sample }
        }
        let positions = layout.loudspeakers.compactMap(\.waveMask)
        do throws(SoundFileError) {
            let writer = try SoundFileWriter(
                path: path, channels: layout.channelCount, sampleRate: played.sampleRate,
                channelPositions: positions.count == layout.channelCount && positions.count > 1 ? positions : nil,
                replaces: replaces(path))
            try writer.write(block, frames: plan.frames)
            try writer.finish()
        } catch { throw .sound(error) }
        let text = text(of: path)
        do throws(TakeError) { try UnnamedFile.write(played.text, to: text, replaces: replaces(text)) } catch {
            throw .text(error)
        }
        let starts = plan.parts.map(\.start)
        return Report(
            files: [path, text], loudspeakers: plan.parts.map(\.loudspeaker), sampleRate: played.sampleRate.hertz,
            seconds: played.sampleRate.seconds(frames: plan.frames),
            spacing: starts.count > 1 ? played.sampleRate.seconds(frames: starts[1] - starts[0]) : 0,
            level: played.level)
    }
}
