import Signal

/// Convolves a stream with an array's filters from inputs to outputs, in blocks of any size.
///
/// The convolver runs on the thread that writes a capture, not on the audio thread. Filters may be exchanged while the
/// stream continues, with a crossfade. Cost: `tapCount` multiply-adds per frame for each pair of input and output,
/// twice as many during a crossfade. A filter of zeros costs nothing, and a filter with one non-zero tap costs one
/// multiply-add.
package struct ArrayConvolver: ~Copyable {
    /// Greatest number of frames of a call.
    package let mostFrames: Int
    private let taps: Int
    private let inputs: Int
    private let outputs: Int
    /// Newest taps − 1 frames of each input, followed by the block.
    private let history: PlanarBlock
    private let sum: PlanarBlock
    private let fading: PlanarBlock
    private let row: PlanarBlock
    private var filters: ArrayFilters
    private var next: ArrayFilters?
    /// Filters of the next crossfade, requested during the present one.
    private var pending: ArrayFilters?
    /// Frames of the crossfade so far.
    private var faded = 0
    /// Duration of a crossfade, frames.
    private static let fade = 2048

    /// Creates a convolver with a history of silence.
    package init(_ filters: ArrayFilters, mostFrames: Int) {
        self.filters = filters
        self.mostFrames = mostFrames
        (taps, inputs, outputs) = (filters.tapCount, filters.inputCount, filters.outputCount)
        history = PlanarBlock(channels: inputs, frames: taps - 1 + mostFrames)
        sum = PlanarBlock(channels: outputs, frames: mostFrames)
        fading = PlanarBlock(channels: outputs, frames: mostFrames)
        row = PlanarBlock(channels: 1, frames: mostFrames)
    }

    /// Crossfades to other filters of the same shape over 2048 frames. If another crossfade is in progress, the new one
    /// begins after it. Only the newest request is kept.
    package mutating func exchange(for other: ArrayFilters) {
        precondition(
            other.tapCount == taps && other.inputCount == inputs && other.outputCount == outputs,
            "filters of another shape")
        if next == nil { (next, faded) = (other, 0) } else { pending = other }
    }

    /// Filters `frames` frames of each input, at most `mostFrames`, to the outputs.
    package mutating func process(
        _ input: borrowing PlanarBlock, to output: borrowing PlanarBlock, frames: Int
    ) {
        checkCount(frames, upTo: mostFrames, "frames of a convolver")
        for channel in 0..<inputs { Samples.copy(input[channel], to: history[channel] + taps - 1, count: frames) }
        convolve(filters, to: sum, frames)
        if let next {
            convolve(next, to: fading, frames)
            for channel in 0..<outputs {
                for i in 0..<frames {
                    let share = min(1, Float(faded + i) / Float(Self.fade))
                    sum[channel][i] += share * (fading[channel][i] - sum[channel][i])
                }
            }
            faded += frames
            if faded >= Self.fade { (filters, self.next, pending, faded) = (next, pending, nil, 0) }
        }
        for channel in 0..<outputs { Samples.copy(sum[channel], to: output[channel], count: frames) }
        for channel in 0..<inputs {
            let line = history[channel]
            // In ascending order, each sample is read before it is overwritten.
            for i in 0..<(taps - 1) { line[i] = line[i + frames] }
        }
    }

    private func convolve(_ filters: ArrayFilters, to target: borrowing PlanarBlock, _ frames: Int) {
        filters.taps.withUnsafeBufferPointer { all in
            guard let all = all.baseAddress else { return }
            for output in 0..<outputs {
                Samples.clear(target[output], count: frames)
                for input in 0..<inputs {
                    let taps = all + (output * inputs + input) * self.taps
                    switch filters.shape(output: output, input: input) {
                    case .silent: break
                    case .delay(let place):
                        // Tap 0 applies to the newest frame of the history.
                        let source = history[input] + self.taps - 1 - place
                        Samples.add(source, gain: taps[place], to: target[output], count: frames)
                    case .full:
                        Samples.filter(history[input], by: taps, taps: self.taps, to: row[0], count: frames)
                        Samples.add(row[0], gain: 1, to: target[output], count: frames)
                    }
                }
            }
        }
    }
}
