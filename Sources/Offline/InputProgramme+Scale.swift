import AudioIO
import Signal
import Soundstage
import Stages

extension InputProgramme {
    /// Greatest count of sections that are analysed, spread over the file, and the length of one, seconds.
    private static let (stretches, stretch) = (8, 1.0)

    /// Returns a remark on a field whose scale differs from the declared one; nil otherwise, and if a section cannot be
    /// read. Afterwards the reader is at its first frame. Takes at most some tenths of a second.
    static func scaleRemark(
        _ reader: SoundFileReader, _ format: AmbisonicFormat
    ) throws(SoundFileError) -> String? {
        let length = Int(stretch * reader.sampleRate.hertz)
        let count = min(stretches, max(1, reader.frameCount / length))
        let block = PlanarBlock(channels: reader.channelCount, frames: length)
        var scale = FieldScale(format.convention, sampleRate: reader.sampleRate, patience: 2)
        do throws(SoundFileError) {
            for number in 0..<count {
                try reader.seek(to: (reader.frameCount - min(reader.frameCount, length)) * number / max(1, count - 1))
                scale.process(block, frames: try reader.read(into: block, frames: length))
            }
        } catch {
            // The read error is dropped here; a later read reports it.
            try reader.seek(to: 0)
            return nil
        }
        try reader.seek(to: 0)
        return scale.found(order: format.order)?.remark(on: reader.path, said: format.convention)
    }
}
