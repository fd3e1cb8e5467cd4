import Signal

/// Buffer of interleaved samples that will be written to a sound file: the channels in the file's order, rounded for
/// the file's encoding. May be used by one thread at a time, not by the audio thread.
struct InterleavedChunk: ~Copyable {
    /// Largest number of frames.
    static let mostFrames = 4096

    private let channelCount: Int
    /// Index of the sound's channel for each channel of the file; nil if the file keeps the order.
    private let order: [Int]?
    /// Rounds samples to integers of up to 24 bits; nil for other encodings.
    private var quantiser: Quantiser?
    private let samples: UnsafeMutablePointer<Float>

    /// Makes a chunk.
    ///
    /// - Parameters:
    ///   - order: Index of the sound's channel for each channel of the file; nil if the file keeps the order.
    ///   - quantiser: Rounding to integers; nil without rounding.
    init(channels: Int, order: [Int]?, quantiser: Quantiser?) {
        channelCount = channels
        self.order = order
        self.quantiser = quantiser
        samples = .allocate(capacity: Self.mostFrames * channels)
    }

    deinit { samples.deallocate() }

    /// Whether samples are rounded.
    var rounds: Bool { quantiser != nil }

    /// Whether the file keeps the order of the sound's channels.
    var keepsOrder: Bool { order == nil }

    /// Interleaves and rounds `frames` frames of `block`, at most `mostFrames`, from frame `offset` and channel
    /// `firstChannel` of the block on. Returns the samples, which are valid until the next call.
    @discardableResult
    mutating func fill(
        _ block: borrowing PlanarBlock, firstChannel: Int, from offset: Int, frames: Int
    ) -> UnsafePointer<Float> {
        for channel in 0..<channelCount {
            let source = block[firstChannel + (order?[channel] ?? channel)] + offset
            var target = samples + channel
            for i in 0..<frames {
                target.pointee = source[i]
                target += channelCount
            }
        }
        quantiser?.apply(samples, frames: frames)
        return UnsafePointer(samples)
    }

    /// Rounds `frames` interleaved frames, at most `mostFrames`. Returns the samples, which are valid until the next
    /// call.
    mutating func fill(interleaved source: UnsafePointer<Float>, frames: Int) -> UnsafePointer<Float> {
        Samples.copy(source, to: samples, count: frames * channelCount)
        quantiser?.apply(samples, frames: frames)
        return UnsafePointer(samples)
    }
}
