import AudioIO
import Geometry
import Signal
import Soundstage

/// A take's sound field, turned so that it holds to something.
package enum SteadiedFile {
    /// Frames at a time.
    private static let blockFrames = 8192

    /// Turns the field of a take by the text beside it, and writes it as AmbiX (ACN, SN3D).
    ///
    /// - Parameters:
    ///   - take: read from its first frame on.
    ///   - format: what the channels that are read are; of their number.
    ///   - replaces: a file of the output's name is replaced; else that is an error.
    ///   - progress: told the share that is done; false ends the work.
    /// - Returns: frames written.
    /// - Throws: `SoundFileError` and `CaptureError` of either file.
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
