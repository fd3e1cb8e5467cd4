import Convolution
import Signal

/// Sound file that is read forward as interleaved frames, converted to a given sample rate. Unusable samples are
/// replaced (`Samples.cleanse`). Needs constant memory. May be used by one thread at a time, not by the audio thread.
package final class PlaybackFile {
    /// Length in frames at the output rate.
    package let frameCount: Int
    /// Reader of the file.
    package let reader: SoundFileReader
    /// Number of input samples replaced so far, because they were not finite or too large.
    private(set) var nonFinite = 0

    /// Frames of the file that were read last.
    private let block: PlanarBlock
    /// Conversion to the output rate; nil if the rates are equal.
    private let converter: SampleRateStream?
    /// Output rate divided by the file's rate.
    private let ratio: Double
    /// The frames of `block`, interleaved, with unusable samples replaced.
    private let pending: UnsafeMutablePointer<Float>
    /// Number of frames in `pending` that are not used yet.
    private var pendingCount = 0
    /// Index of the first of these frames.
    private var pendingFirst = 0
    /// Frame of the output rate that is read next.
    private var position = 0
    private static let blockFrames = 4096

    /// Opens a file for playback at a sample rate.
    ///
    /// - Throws: The errors of `SoundFileReader`; `unsupportedRate` if the rate cannot be converted.
    package init(_ entry: PlaylistEntry, rate: SampleRate) throws(SoundFileError) {
        reader = try SoundFileReader(path: entry.path, channels: entry.channels)
        reader.shaping = entry.shaping
        ratio = rate.hertz / reader.sampleRate.hertz
        block = PlanarBlock(channels: reader.channelCount, frames: Self.blockFrames)
        if ratio == 1 {
            converter = nil
        } else {
            do throws(SampleRateConverter.Failure) {
                converter = try SampleRateStream(
                    channels: reader.channelCount, inputRate: reader.sampleRate.hertz, outputRate: rate.hertz)
            } catch {
                throw .unsupportedRate(path: entry.path, hertz: reader.sampleRate.hertz)
            }
        }
        frameCount = Int((Double(reader.frameCount) * rate.hertz / reader.sampleRate.hertz).rounded(.up))
        pending = .allocate(capacity: Self.blockFrames * reader.channelCount)
    }

    deinit { pending.deallocate() }

    /// Continues at a frame of the output rate, 0…frameCount.
    func seek(to frame: Int) throws(SoundFileError) {
        position = max(0, min(frameCount, frame))
        pendingCount = 0
        try reader.seek(to: min(reader.frameCount, Int((Double(position) / ratio).rounded())))
        do throws(SampleRateConverter.Failure) { try converter?.restart() } catch {
            throw .system(path: reader.path, reason: error.reason)
        }
    }

    /// Reads up to `frames` frames. Returns the number of frames read; 0 at the end.
    func read(into target: UnsafeMutablePointer<Float>, frames: Int) throws(SoundFileError) -> Int {
        let wanted = min(frames, frameCount - position)
        var done = 0
        while done < wanted {
            if pendingCount == 0 { try refill() }
            let into = target + done * reader.channelCount
            let from = pending + pendingFirst * reader.channelCount
            let (used, made): (Int, Int)
            if let converter {
                do throws(SampleRateConverter.Failure) {
                    (used, made) = try converter.process(
                        pendingCount == 0 ? nil : from, frames: pendingCount, into: into, capacity: wanted - done)
                } catch {
                    throw .system(path: reader.path, reason: error.reason)
                }
            } else {
                used = min(pendingCount, wanted - done)
                made = used
                into.update(from: from, count: used * reader.channelCount)
            }
            if used == 0, made == 0 { break }
            pendingFirst += used
            pendingCount -= used
            done += made
        }
        position += done
        return done
    }

    private func refill() throws(SoundFileError) {
        pendingFirst = 0
        pendingCount = try reader.read(into: block, frames: Self.blockFrames)
        for channel in 0..<reader.channelCount {
            nonFinite += Samples.cleanse(block[channel], to: block[channel], count: pendingCount)
            var target = pending + channel
            for i in 0..<pendingCount {
                target.pointee = block[channel][i]
                target += reader.channelCount
            }
        }
    }
}
