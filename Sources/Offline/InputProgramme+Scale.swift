import AudioIO
import Capture
import Signal
import Soundstage
import Stages

extension InputProgramme {
    /// Stretches of a file that are listened to at most, from its beginning to its end, and seconds of one.
    private static let (stretches, stretch) = (8, 1.0)

    /// Remarks about a field that seems to have another scale than was said; nil for all else, and where a stretch
    /// cannot be read. The reader is at its first frame afterwards. Cost: some tenths of a second at most.
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
            // The next reader is told why, if it fails again.
            try reader.seek(to: 0)
            return nil
        }
        try reader.seek(to: 0)
        return scale.found(order: format.order)?.remark(on: reader.path, said: format.convention)
    }
}
