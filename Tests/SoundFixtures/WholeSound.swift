import AudioIO
import Signal

/// Sound files as arrays, for tests of their samples.
package enum WholeSound {
    /// Reads a whole file: `[channel][frame]`.
    package static func read(_ path: String) throws -> [[Float]] {
        let reader = try SoundFileReader(path: path)
        let block = PlanarBlock(channels: reader.channelCount, frames: reader.frameCount)
        _ = try reader.read(into: block, frames: reader.frameCount)
        return (0..<reader.channelCount).map {
            Array(UnsafeBufferPointer(start: block[$0], count: reader.frameCount))
        }
    }
}
