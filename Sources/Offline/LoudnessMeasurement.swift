import AudioIO
import Foundation
import Loading
import Metering
import Signal
import Soundstage
import Stages
import Takes

/// Loudness of a sound file, measured by the same meter as in live operation.
package struct LoudnessMeasurement: Codable, Sendable {
    /// The file.
    package let file: String
    /// Name of its layout, which sets the channel weights.
    package let layout: String
    /// Sample rate, Hz.
    package let sampleRate: Double
    /// Count of frames measured.
    package let frames: Int
    /// Readings of the meter at the end.
    package let loudness: LoudnessReadings
    /// Remarks about the file, a line each.
    package let remarks: [String]

    /// Measures a file in constant memory; on the calling thread.
    ///
    /// - Parameters:
    ///   - stage: layout and angles, if the file does not define them.
    ///   - reading: description of a file without a header.
    ///   - excerpt: section that is measured, as if it were a separate file.
    ///   - looks: receives the readings ten times per second of sound, without integrated loudness and range.
    ///   - progress: receives the share done; returns false to cancel.
    /// - Throws: errors of opening and reading; `cancelled` if `progress` returned false.
    package init(
        file: String, stage: StageSettings, order: ChannelOrder?, excerpt: Excerpt = Excerpt(),
        reading: ReadingChoice = ReadingChoice(),
        looks: ((LoudnessReadings) -> Void)? = nil,
        progress: (Double) -> Bool
    ) throws(SessionError) {
        let programme = try InputProgramme(file, stage, order: order, reading: reading, mayBeStale: true)
        let (reader, layout) = (programme.reader, programme.layout)
        let meter = LoudnessMeter(sampleRate: reader.sampleRate, weights: layout.loudnessWeights)
        let frames = looks == nil ? 4096 : max(1, Int(reader.sampleRate.hertz / 10))
        let block = PlanarBlock(channels: reader.channelCount, frames: frames)
        let range = try excerpt.frames(of: reader)
        do throws(SoundFileError) {
            // The frames before the section are read, not skipped: some decoders return other samples after a seek.
            while reader.position < range.lowerBound {
                let count = try reader.read(into: block, frames: min(frames, range.lowerBound - reader.position))
                guard count > 0 else { break }
            }
            while reader.position < range.upperBound {
                let count = try reader.read(into: block, frames: min(frames, range.upperBound - reader.position))
                guard count > 0 else { break }
                meter.add(block, frames: count)
                looks?(meter.read(gated: false))
                guard progress(Double(reader.position - range.lowerBound) / Double(range.count)) else {
                    throw .cancelled
                }
            }
        } catch {
            throw SessionError(error)
        }
        self.file = file
        self.layout = layout.name
        sampleRate = reader.sampleRate.hertz
        self.frames = range.count
        loudness = meter.read()
        remarks = programme.remarks
    }

    /// The result in words.
    package var line: String { "\(file): \(layout), \(loudness.summary)" }

    /// Writes the result into the metadata file beside the sound file. Other content of the metadata file is kept.
    ///
    /// - Returns: the path of the metadata file.
    package func save(reading: ReadingChoice = ReadingChoice()) throws(SessionError) -> String {
        var metadata: ProgrammeMetadata
        do throws(ProgrammeMetadataError) {
            metadata = try ProgrammeMetadata.beside(file: file) ?? ProgrammeMetadata()
        } catch {
            throw SessionError(.input, error.description)
        }
        metadata.measured(loudness)
        let reader = try reading.open(file)
        do throws(SoundFileError) { metadata.sound = try .init(of: reader) } catch {
            throw SessionError(error)
        }
        return try metadata.save(beside: file)
    }
}

extension ProgrammeMetadata {
    /// Stores the readings of a meter, in hundredths, after a gain in dB.
    mutating func measured(_ readings: LoudnessReadings, gain: Double = 0) {
        func hundredths(_ value: Double) -> Double { (value * 100).rounded() / 100 }
        loudness = readings.integrated.map { hundredths($0 + gain) }
        loudnessRange = readings.range.map { hundredths($0) }
        truePeak = readings.truePeak.map { hundredths($0 + gain) }
    }

    /// Writes the metadata file beside a sound file, completely or not at all, and replaces a former one. Returns its
    /// path.
    func save(beside file: String) throws(SessionError) -> String {
        let new = try unnamed(beside: file, replacing: .anything)
        do throws(TakeError) { try UnnamedFile.publish([new]) } catch { throw SessionError(error) }
        return new.path
    }

    /// Writes the metadata of a sound file into a file that gets its name later (`UnnamedFile`).
    func unnamed(beside file: String, replacing replacement: Replacement) throws(SessionError) -> UnnamedFile {
        let path = Self.path(besideFile: file)
        do throws(TakeError) {
            return try UnnamedFile(Data(json), for: path, replaces: replacement.covers(path))
        } catch {
            throw SessionError(error)
        }
    }
}
