import AudioIO
import CRealtime
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
        guard reader.channelCount <= 2 else {
            throw SessionError(
                .input,
                "\(settings.input) has \(reader.channelCount) channels; an upmix starts from stereo or mono. Play it as it is, "
                    + "or fold it down first: proscenium process \(settings.input) stereo.wav --to stereo")
        }
        try refuse(settings.output, as: settings.input)
        let layout: Layout
        do throws(SoundstageError) { layout = try Layout.named(settings.layout) } catch { throw SessionError(error) }
        var upmixer: StereoUpmixer
        do throws(UpmixError) {
            upmixer = try StereoUpmixer(
                sampleRate: reader.sampleRate, layout: layout, mode: settings.mode == .identity ? .identity : .energy,
                latency: settings.latency == .player ? .player : .live,
                controls: UpmixControls(
                    centre: Float(settings.centre), width: Float(settings.width), ambience: Float(settings.ambience)),
                decorrelates: settings.decorrelates)
        } catch {
            throw SessionError(.usage, error.description)
        }
        let metadata = reader.metadata.forOtherSound
        let writer = try settings.written.open(
            settings.output, layout: layout, channels: layout.channelCount, sampleRate: reader.sampleRate,
            metadata: metadata)
        do throws(SoundFileError) {
            let sum = try run(&upmixer, from: reader, into: writer, spreads: settings.mono == .wide, progress)
            return UpmixReport(
                input: settings.input, output: settings.output, layout: layout.name, mode: settings.mode.rawValue,
                latency: settings.latency.rawValue, latencyFrames: upmixer.latency,
                sampleRate: reader.sampleRate.hertz, frames: reader.frameCount,
                peak: sum.peak > 0 ? 20 * log10(Double(sum.peak)) : -200, nonFiniteSamples: sum.refused,
                remarks: losses(metadata, in: writer))
        } catch {
            writer.discard()
            throw SessionError(error)
        }
    }

    /// All of a file through an upmixer; a mono one as two equal channels, each at √½, or spread.
    private static func run(
        _ upmixer: inout StereoUpmixer, from reader: SoundFileReader, into writer: SoundFileWriter, spreads: Bool,
        _ progress: (Double) -> Bool
    ) throws(SoundFileError) -> (peak: Float, refused: Int) {
        let block = 1024
        let source = PlanarBlock(channels: reader.channelCount, frames: block)
        let pair = PlanarBlock(channels: 2, frames: block)
        let stage = PlanarBlock(channels: upmixer.channelCount, frames: block)
        let spread = MonoSpread(sampleRate: reader.sampleRate)
        let isMono = reader.channelCount == 1
        var toDrop = upmixer.latency
        var (written, refused, peak) = (0, 0, Float(0))
        prc_flush_denormals()
        while written < reader.frameCount {
            let count = try reader.read(into: source, frames: block)
            for channel in 0..<2 {
                let row = source[isMono ? 0 : channel]
                let bad = Samples.cleanse(row, to: pair[channel], count: count)
                if channel == 0 || !isMono { refused += bad }
                Samples.clear(pair[channel] + count, count: block - count)
            }
            if isMono {
                if spreads {
                    spread.process(pair[0], pair[1], frames: block)
                } else {
                    for channel in 0..<2 { Samples.scale(pair[channel], by: Float(0.5).squareRoot(), count: block) }
                }
            }
            upmixer.process(frames: block, left: pair[0], right: pair[1], into: stage.pointers)
            let dropped = min(toDrop, block)
            toDrop -= dropped
            let kept = min(block - dropped, reader.frameCount - written)
            guard kept > 0 else { continue }
            for channel in 0..<upmixer.channelCount {
                peak = max(peak, Samples.peak(stage[channel] + dropped, count: kept))
            }
            try writer.write(stage, from: dropped, frames: kept)
            written += kept
            guard progress(Double(written) / Double(reader.frameCount)) else { throw .cancelled }
        }
        try writer.finish()
        return (peak, refused)
    }
}
