import Signal

/// Feeds a meter from rows of samples.
final class LoudnessFeed {
    let meter: LoudnessMeter
    private var interleaved: [Float] = []

    /// Feeds `meter`.
    init(_ meter: LoudnessMeter) { self.meter = meter }

    /// Measures `frames` frames of a block that has the meter's channels, 0 in place of samples that are no numbers.
    func add(_ block: borrowing PlanarBlock, from first: Int, frames: Int) {
        guard frames > 0 else { return }
        let width = meter.channelCount
        if interleaved.count < frames * width { interleaved = [Float](repeating: 0, count: frames * width) }
        for channel in 0..<width {
            let row = block[channel] + first
            for i in 0..<frames { interleaved[i * width + channel] = row[i].isFinite ? row[i] : 0 }
        }
        interleaved.withUnsafeBufferPointer { samples in
            guard let samples = samples.baseAddress else { return }
            meter.add(interleaved: samples, frames: frames)
        }
    }
}
