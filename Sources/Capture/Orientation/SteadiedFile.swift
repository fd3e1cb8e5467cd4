import AudioIO
import Geometry
import Signal
import Soundstage

/// A take's sound field, turned so that it holds to something.
package enum SteadiedFile {
    /// Frames at a time.
    private static let blockFrames = 8192

    /// Turns the field of a take by the text beside it.
    ///
    /// - Parameters:
    ///   - replaces: a file of the output's name is replaced; else that is an error.
    ///   - progress: told the share that is done; false ends the work.
    /// - Returns: frames written.
    /// - Throws: `SoundFileError` and `CaptureError` of either file; `wrongChannelCount` where it has not four channels.
    package static func write(
        _ input: String, to output: String, _ mode: SteadyMode, replaces: Bool = false,
        progress: (Double) -> Bool = { _ in true }
    ) throws -> Int {
        let reader = try SoundFileReader(path: input)
        guard reader.channelCount == 4 else {
            throw SoundFileError.wrongChannelCount(
                path: input, found: reader.channelCount, expected: 4, layouts: ["ambi1"])
        }
        let format = try AmbisonicFormat(order: 1)
        reader.shaping = SteadiedField(
            try OrientationTrack(besideTake: input), mode, format: format, sampleRate: reader.sampleRate)
        let writer = try SoundFileWriter(
            path: output, channels: 4, sampleRate: reader.sampleRate, fieldOrder: 1, metadata: reader.metadata,
            replaces: replaces)
        let block = PlanarBlock(channels: 4, frames: blockFrames)
        while case let count = try reader.read(into: block, frames: blockFrames), count > 0 {
            try writer.write(block, frames: count)
            guard progress(Double(reader.position) / Double(reader.frameCount)) else {
                writer.discard()
                throw SoundFileError.cancelled
            }
        }
        try writer.finish()
        return writer.frameCount
    }
}
