import AudioIO
import Geometry
import Signal
import Soundstage

/// Writes a take's sound field into a file, rotated so that the field stays steady (`SteadyMode`).
package enum SteadiedFile {
    /// Frames of a block.
    private static let blockFrames = 8192

    /// Rotates the field of a take by its orientation file, and writes it as AmbiX (ACN, SN3D).
    ///
    /// - Parameters:
    ///   - take: reader of the take, at its first frame.
    ///   - format: format of the take's channels. It must have the take's number of channels.
    ///   - replaces: whether an existing file of the output's name is replaced; otherwise it is an error.
    ///   - progress: called with the finished proportion, 0…1, after each block; returning false cancels.
    /// - Returns: number of frames written.
    /// - Throws: `SoundFileError` of either file, or `cancelled`; `CaptureError` of the orientation file.
    package static func write(
        _ take: SoundFileReader, _ format: AmbisonicFormat, to output: String, _ mode: SteadyMode,
        replaces: Bool = false, progress: (Double) -> Bool = { _ in true }
    ) throws -> Int {
        precondition(take.channelCount == format.channelCount)
        take.shaping = SteadiedField(
            try OrientationTrack(besideTake: take.path), mode, format: format, sampleRate: take.sampleRate)
        let writer = try SoundFileWriter(
            path: output, channels: format.channelCount, sampleRate: take.sampleRate, fieldOrder: format.order,
            metadata: take.metadata.forOtherSound, replaces: replaces)
        let block = PlanarBlock(channels: format.channelCount, frames: blockFrames)
        let field = PlanarBlock(channels: format.channelCount, frames: blockFrames)
        while case let count = try take.read(into: block, frames: blockFrames), count > 0 {
            for channel in 0..<format.channelCount {
                let place = format.place(ofChannel: channel)
                let (source, target, gain) = (block[channel], field[place.acn], Float(place.gain))
                for i in 0..<count { target[i] = gain * source[i] }
            }
            try writer.write(field, frames: count)
            guard progress(Double(take.position) / Double(take.frameCount)) else {
                writer.discard()
                throw SoundFileError.cancelled
            }
        }
        try writer.finish()
        return writer.frameCount
    }
}
