import Convolution
import Signal

/// Conversion of a file's frames to another sample rate as they are read (libsoxr, very high quality). The samples are
/// equal to those that `PlaybackFile` plays. Needs constant memory. May be used by one thread at a time, not by the
/// audio thread.
final class RateConversion {
    /// Sample rate of the file.
    let inputRate: SampleRate
    /// Sample rate after the conversion.
    let outputRate: SampleRate
    /// Number of frames of the file.
    let inputCount: Int
    /// Number of samples that were replaced before the conversion, because they were not finite or too large. Counted
    /// from the last restart at frame 0.
    private(set) var refused = 0

    private let path: String
    private let channelCount: Int
    private let converter: SampleRateStream
    /// Frames of the file that were read last.
    private let block: PlanarBlock
    /// The same frames, interleaved.
    private let pending: UnsafeMutablePointer<Float>
    /// Converted frames, interleaved.
    private let made: UnsafeMutablePointer<Float>
    /// Number of frames in `pending` that are not converted yet.
    private var pendingCount = 0
    /// Index of the first of these frames.
    private var pendingFirst = 0
    private static let blockFrames = 4096

    /// Opens a stream for `frames` frames of a file.
    ///
    /// - Throws: `unsupportedRate` if the rates cannot be converted.
    init(
        path: String, channels: Int, frames: Int, from input: SampleRate, to output: SampleRate
    ) throws(SoundFileError) {
        do throws(SampleRateConverter.Failure) {
            converter = try SampleRateStream(channels: channels, inputRate: input.hertz, outputRate: output.hertz)
        } catch {
            throw .unsupportedRate(path: path, hertz: input.hertz)
        }
        (self.path, channelCount, inputRate, inputCount) = (path, channels, input, frames)
        outputRate = output
        block = PlanarBlock(channels: channels, frames: Self.blockFrames)
        pending = .allocate(capacity: Self.blockFrames * channels)
        made = .allocate(capacity: Self.blockFrames * channels)
    }

    deinit {
        pending.deallocate()
        made.deallocate()
    }

    /// Number of frames after the conversion.
    var frameCount: Int { output(of: inputCount) }

    /// Returns the first frame of the output at or after a frame of the file.
    func output(of frame: Int) -> Int {
        // The product is exact; a ratio would not be. Whole seconds therefore stay whole.
        Int((Double(frame) * outputRate.hertz / inputRate.hertz).rounded(.up))
    }

    /// Restarts at a frame of the output. Returns the file's frame at which to continue.
    func restart(at frame: Int) throws(SoundFileError) -> Int {
        (pendingCount, pendingFirst) = (0, 0)
        if frame == 0 { refused = 0 }
        do throws(SampleRateConverter.Failure) { try converter.restart() } catch {
            throw .system(path: path, reason: error.reason)
        }
        return min(inputCount, Int((Double(frame) * inputRate.hertz / outputRate.hertz).rounded()))
    }

    /// Writes the next `frames` converted frames into `target`, from frame `offset` of the block on. The frames must
    /// not end after `frameCount`. Returns `frames`.
    ///
    /// - Parameter pull: Reads the file's next frames into a block, at most the given number, and returns how many were
    ///   read.
    func read(
        into target: borrowing PlanarBlock, at offset: Int, frames: Int,
        from pull: (borrowing PlanarBlock, Int) throws(SoundFileError) -> Int
    ) throws(SoundFileError) -> Int {
        var done = 0
        while done < frames {
            if pendingCount == 0 { try refill(pull) }
            let (used, count): (Int, Int)
            do throws(SampleRateConverter.Failure) {
                (used, count) = try converter.process(
                    pendingCount == 0 ? nil : pending + pendingFirst * channelCount, frames: pendingCount, into: made,
                    capacity: min(Self.blockFrames, frames - done))
            } catch {
                throw .system(path: path, reason: error.reason)
            }
            if used == 0, count == 0 { break }
            pendingFirst += used
            pendingCount -= used
            for channel in 0..<channelCount {
                let row = target[channel] + offset + done
                var source = made + channel
                for i in 0..<count {
                    row[i] = source.pointee
                    source += channelCount
                }
            }
            done += count
        }
        // The converter rounds the length and may end one frame early. The missing frame is silent, as it is in
        // playback.
        for channel in 0..<channelCount where done < frames {
            Samples.clear(target[channel] + offset + done, count: frames - done)
        }
        return frames
    }

    private func refill(
        _ pull: (borrowing PlanarBlock, Int) throws(SoundFileError) -> Int
    ) throws(SoundFileError) {
        pendingFirst = 0
        pendingCount = try pull(block, Self.blockFrames)
        for channel in 0..<channelCount {
            refused += Samples.cleanse(block[channel], to: block[channel], count: pendingCount)
            var target = pending + channel
            for i in 0..<pendingCount {
                target.pointee = block[channel][i]
                target += channelCount
            }
        }
    }
}
