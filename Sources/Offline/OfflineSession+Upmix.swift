import AudioIO
import Foundation
import Loading
import Signal
import Soundstage
import Stages
import Takes

extension OfflineSession {
    /// Runs `upmix`: converts a stereo or mono file to a file for more loudspeakers, time-aligned and of the same
    /// length; on the calling thread.
    ///
    /// - Parameter progress: receives the share done; returns false to cancel.
    /// - Throws: `SessionError`; no output file is then created or changed.
    package static func upmix(
        _ settings: UpmixSettings, progress: (Double) -> Bool
    ) throws(SessionError) -> UpmixReport {
        let whole = try settings.reading.open(settings.input)
        let defined = try ProgrammeChannels(definedBy: whole)
        let reader = try defined?.reader(of: whole) ?? whole
        try settings.reading.convert(reader)
        let replacement = try settings.written.settle([settings.output], keeping: [settings.input], mayStream: true)
        let known: ProgrammeMetadata?
        do throws(ProgrammeMetadataError) { known = try ProgrammeMetadata.beside(file: settings.input) } catch {
            throw SessionError(.input, error.description)
        }
        var settings = settings
        let found = settings.upmix.follow(known)
        let layout: Layout
        do throws(SoundstageError) { layout = try Layout.named(settings.upmix.layout) } catch {
            throw SessionError(error)
        }
        let stage = try UpmixedProgramme(reader, into: layout, settings.upmix, decorrelates: settings.decorrelates)
        let section = try settings.excerpt.frames(of: reader)
        let metadata = reader.metadata.forOtherSound.ofSection(section)
        let writer = try settings.written.open(
            settings.output, layout: layout, channels: layout.channelCount, sampleRate: reader.sampleRate,
            metadata: metadata, replacing: replacement)
        do throws(SoundFileError) {
            let (peak, beyond) = try copy(stage, section, into: writer, progress)
            return UpmixReport(
                input: settings.input, output: settings.output, layout: layout.name,
                mode: settings.upmix.law.rawValue,
                latency: settings.upmix.latency.rawValue, latencyFrames: stage.latency,
                sampleRate: reader.sampleRate.hertz, frames: section.count,
                peak: peak > 0 ? 20 * log10(Double(peak)) : -200, beyondFullScale: beyond,
                clipped: settings.written.clips(writer) && beyond > 0, nonFiniteSamples: stage.refused,
                remarks: [reader.lengthRemark].compactMap(\.self) + (defined?.remarks ?? [])
                    + [found].compactMap(\.self) + losses(metadata, in: writer))
        } catch {
            writer.discard()
            throw SessionError(error)
        }
    }

    /// Writes a section of a programme and completes the file. Returns the largest magnitude of a sample, and the count
    /// of samples beyond full scale.
    private static func copy(
        _ programme: UpmixedProgramme, _ section: Range<Int>, into writer: SoundFileWriter, _ progress: (Double) -> Bool
    ) throws(SoundFileError) -> (peak: Float, beyond: Int) {
        let block = PlanarBlock(channels: programme.channelCount, frames: 4096)
        var peak: Float = 0
        var beyond = 0
        var section = KeptFrames(section)
        while !section.isDone {
            let count = try programme.read(into: block, frames: 4096)
            guard count > 0 else { break }
            let kept = section.next(count)
            for channel in 0..<programme.channelCount {
                let row = block[channel]
                let own = Samples.peak(row + kept.lowerBound, count: kept.count)
                peak = max(peak, own)
                if own > 1 { for i in kept where abs(row[i]) > 1 { beyond += 1 } }
            }
            try writer.write(block, frames: count, kept: kept)
            guard progress(section.share) else { throw .cancelled }
        }
        try writer.finish()
        return (peak, beyond)
    }
}

/// Settings of `upmix`.
package struct UpmixSettings: Sendable {
    /// Paths of the programme and of the output.
    package var input: String, output: String
    /// Settings of the upmix; by default with the look-ahead of a player.
    package var upmix: UpmixChoices
    /// Whether the surrounds are decorrelated.
    package var decorrelates = true
    /// Format of the output.
    package var written = OutputChoice()
    /// Section that is written.
    package var excerpt = Excerpt()
    /// How the file is read, and the rate of the output.
    package var reading = ReadingChoice()

    /// Creates settings with defaults.
    package init(input: String, output: String) {
        self.input = input
        self.output = output
        upmix = UpmixChoices()
        upmix.latency = .player
    }
}

/// Report of `upmix`, for the user and for programs.
package struct UpmixReport: Codable, Sendable {
    /// Paths of the programme and of the output.
    package let input: String, output: String
    /// Layout of the output, law of the upmix, and name of the masks' latency.
    package let layout: String, mode: String, latency: String
    /// Latency of a live upmix with these settings, frames; removed here.
    package let latencyFrames: Int
    /// Sample rate, Hz.
    package let sampleRate: Double
    /// Frames written.
    package let frames: Int
    /// Largest magnitude of a sample before conversion to integers clips it, dBFS; −200 for silence.
    package let peak: Double
    /// Count of samples beyond full scale; clipped if the output holds integers.
    package let beyondFullScale: Int
    /// Whether these samples were clipped.
    package let clipped: Bool
    /// Count of input samples that were replaced; see `Samples.cleanse`.
    package let nonFiniteSamples: Int
    /// Remarks about the files.
    package let remarks: [String]

    /// The report in words.
    package var lines: [String] {
        var lines = [
            "stereo to \(layout), \(mode), \(latency) (\(latencyFrames) frames, taken off)",
            String(
                format: "%@: %.1f s at %.0f Hz, peak %.1f dBFS", output, Double(frames) / sampleRate, sampleRate, peak)
                + ProcessReport.beyond(beyondFullScale, clipped, "write floating point"),
        ]
        if nonFiniteSamples > 0 { lines.append(Samples.replacement(nonFiniteSamples)) }
        return lines + remarks
    }
}
