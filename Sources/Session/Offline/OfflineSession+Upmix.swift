import AudioIO
import Foundation
import Signal
import Soundstage

extension OfflineSession {
    /// Does all of `upmix`: a stereo or mono file becomes one for a stage, aligned with it and as long; on the calling thread.
    ///
    /// - Parameter progress: told the share done; answers false to stop.
    /// - Throws: `SessionError`; nothing is left under the output's name.
    package static func upmix(
        _ settings: UpmixSettings, progress: (Double) -> Bool
    ) throws(SessionError) -> UpmixReport {
        let reader: SoundFileReader
        do throws(SoundFileError) { reader = try SoundFileReader(path: settings.input) } catch {
            throw SessionError(error)
        }
        try refuse(settings.output, as: settings.input)
        let layout: Layout
        do throws(SoundstageError) { layout = try Layout.named(settings.opening.layout) } catch {
            throw SessionError(error)
        }
        let stage = try OpenedProgramme(reader, into: layout, settings.opening, decorrelates: settings.decorrelates)
        let metadata = reader.metadata.forOtherSound
        let writer = try settings.written.open(
            settings.output, layout: layout, channels: layout.channelCount, sampleRate: reader.sampleRate,
            metadata: metadata)
        do throws(SoundFileError) {
            let peak = try copy(stage, into: writer, progress)
            return UpmixReport(
                input: settings.input, output: settings.output, layout: layout.name,
                mode: settings.opening.law.rawValue,
                latency: settings.opening.latency.rawValue, latencyFrames: stage.latency,
                sampleRate: reader.sampleRate.hertz, frames: reader.frameCount,
                peak: peak > 0 ? 20 * log10(Double(peak)) : -200, nonFiniteSamples: stage.refused,
                remarks: losses(metadata, in: writer))
        } catch {
            writer.discard()
            throw SessionError(error)
        }
    }

    /// Writes all of a programme and completes the file; the largest sample.
    private static func copy(
        _ programme: OpenedProgramme, into writer: SoundFileWriter, _ progress: (Double) -> Bool
    ) throws(SoundFileError) -> Float {
        let block = PlanarBlock(channels: programme.channelCount, frames: 4096)
        var peak: Float = 0
        while true {
            let count = try programme.read(into: block, frames: 4096)
            guard count > 0 else { break }
            for channel in 0..<programme.channelCount { peak = max(peak, Samples.peak(block[channel], count: count)) }
            try writer.write(block, frames: count)
            guard progress(Double(programme.position) / Double(programme.frameCount)) else { throw .cancelled }
        }
        try writer.finish()
        return peak
    }
}
