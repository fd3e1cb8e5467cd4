import AudioIO
import Foundation
import Loading
import Metering
import Signal
import Soundstage
import Stages
import Takes

/// The loudness of a sound file, by the meter that runs live.
package struct LoudnessMeasurement: Codable, Sendable {
    /// The file.
    package let file: String
    /// Name of its layout, whose places weigh the channels.
    package let layout: String
    /// Hertz.
    package let sampleRate: Double
    /// Frames measured: all of them.
    package let frames: Int
    /// What the meter shows at the end.
    package let loudness: LoudnessReadings
    /// Remarks about the file, a line each.
    package let remarks: [String]

    /// Measures a whole file in constant memory; on the calling thread.
    ///
    /// - Parameters:
    ///   - stage: layout and angles, where the file does not say.
    ///   - looks: told what the meter shows, ten times per second of sound;
    ///     integrated loudness and range are not in it.
    ///   - progress: told the share done; answers false to stop.
    /// - Throws: what opening and reading can throw; `cancelled` where progress said so.
    package init(
        file: String, stage: StageSettings, order: ChannelOrder?, looks: ((LoudnessReadings) -> Void)? = nil,
        progress: (Double) -> Bool
    ) throws(SessionError) {
        let programme = try InputProgramme(file, stage, order: order, mayBeStale: true)
        let (reader, layout) = (programme.reader, programme.layout)
        let meter = LoudnessMeter(sampleRate: reader.sampleRate, weights: layout.loudnessWeights)
        let frames = looks == nil ? 4096 : max(1, Int(reader.sampleRate.hertz / 10))
        let block = PlanarBlock(channels: reader.channelCount, frames: frames)
        do throws(SoundFileError) {
            while true {
                let count = try reader.read(into: block, frames: frames)
                guard count > 0 else { break }
                meter.add(block, frames: count)
                looks?(meter.read(gated: false))
                guard progress(Double(reader.position) / Double(reader.frameCount)) else { throw .cancelled }
            }
        } catch {
            throw SessionError(error)
        }
        self.file = file
        self.layout = layout.name
        sampleRate = reader.sampleRate.hertz
        self.frames = reader.position
        loudness = meter.read()
        remarks = programme.remarks
    }

    /// In words.
    package var line: String { "\(file): \(layout), \(loudness.summary)" }

    /// Writes what was measured into the metadata file beside the sound file; what else stands there is kept.
    ///
    /// - Returns: the file's path.
    package func save() throws(SessionError) -> String {
        var metadata: ProgrammeMetadata
        do throws(ProgrammeMetadataError) {
            metadata = try ProgrammeMetadata.beside(file: file) ?? ProgrammeMetadata()
        } catch {
            throw SessionError(.input, error.description)
        }
        metadata.measured(loudness)
        do throws(SoundFileError) { metadata.sound = try .init(of: SoundFileReader(path: file)) } catch {
            throw SessionError(error)
        }
        return try metadata.save(beside: file)
    }
}

extension ProgrammeMetadata {
    /// Takes over what a meter showed, in hundredths, after a gain in dB.
    mutating func measured(_ readings: LoudnessReadings, gain: Double = 0) {
        func hundredths(_ value: Double) -> Double { (value * 100).rounded() / 100 }
        loudness = readings.integrated.map { hundredths($0 + gain) }
        loudnessRange = readings.range.map { hundredths($0) }
        truePeak = readings.truePeak.map { hundredths($0 + gain) }
    }

    /// Writes it beside a sound file, whole or not at all, in place of what stood there, which it goes on from; the
    /// path of what was written.
    func save(beside file: String) throws(SessionError) -> String {
        let new = try unnamed(beside: file, replacing: .anything)
        do throws(TakeError) { try UnnamedFile.publish([new]) } catch { throw SessionError(error) }
        return new.path
    }

    /// The file beside a sound file, complete but for its name.
    func unnamed(beside file: String, replacing replacement: Replacement) throws(SessionError) -> UnnamedFile {
        let path = Self.path(besideFile: file)
        do throws(TakeError) {
            return try UnnamedFile(Data(json), for: path, replaces: replacement.covers(path))
        } catch {
            throw SessionError(error)
        }
    }
}
