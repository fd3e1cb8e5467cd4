import AudioIO
import Geometry
import Signal

/// A take's sound field, turned so that it holds to something.
package enum SteadiedFile {
    /// Frames at a time.
    private static let blockFrames = 8192

    /// Turns the field of a take by the text beside it.
    ///
    /// - Parameters:
    ///   - progress: told the share that is done; false ends the work.
    /// - Returns: frames written.
    /// - Throws: `SoundFileError` and `CaptureError` of either file; `wrongChannelCount` where it has not four channels.
    package static func write(
        _ input: String, to output: String, _ mode: SteadyMode, progress: (Double) -> Bool = { _ in true }
    ) throws -> Int {
        let reader = try SoundFileReader(path: input)
        guard reader.channelCount == 4 else {
            throw SoundFileError.wrongChannelCount(
                path: input, found: reader.channelCount, expected: 4, layouts: ["ambi1"])
        }
        let track = try OrientationTrack(csvAt: CaptureNames.orientation(input))
        let writer = try SoundFileWriter(
            path: output, channels: 4, sampleRate: reader.sampleRate, metadata: reader.metadata)
        writer.fieldOrder = 1
        let rate = reader.sampleRate.hertz
        let block = PlanarBlock(channels: 4, frames: blockFrames)
        var turner = FieldTurner(track.turn(at: 0, mode))
        while case let first = reader.position, first < reader.frameCount {
            let count = try reader.read(into: block, frames: blockFrames)
            guard count > 0 else { break }
            turner.process(block, frames: count) { track.turn(at: Double(first + $0) / rate, mode) }
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
