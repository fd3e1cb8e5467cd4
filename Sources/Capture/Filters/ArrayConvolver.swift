import Signal

/// Runs an array's filters on a stream: inputs in, outputs out, in blocks of any size.
///
/// Not for the audio thread: a capture is encoded by the thread that writes it. Filters may be exchanged while the
/// stream goes on: the old ones fade into the new. Cost: taps multiply-adds per sample, input and output, twice during
/// a fade; filters that are zero cost nothing, mere delays one multiply-add.
package struct ArrayConvolver: ~Copyable {
    /// Frames a call may take.
    package let mostFrames: Int
    private let taps: Int
    private let inputs: Int
    private let outputs: Int
    /// The newest taps − 1 frames of each input, and behind them the block.
    private let history: PlanarBlock
    private let sum: PlanarBlock
    private let fading: PlanarBlock
    private let row: PlanarBlock
    private var filters: ArrayFilters
    private var next: ArrayFilters?
    /// What was asked for while a fade went on.
    private var pending: ArrayFilters?
    /// Frames of the fade that are over.
    private var faded = 0
    /// Frames of a fade.
    private static let fade = 2048

    /// A convolver with silence behind it.
    package init(_ filters: ArrayFilters, mostFrames: Int) {
        self.filters = filters
        self.mostFrames = mostFrames
        (taps, inputs, outputs) = (filters.tapCount, filters.inputCount, filters.outputCount)
        history = PlanarBlock(channels: inputs, frames: taps - 1 + mostFrames)
        sum = PlanarBlock(channels: outputs, frames: mostFrames)
        fading = PlanarBlock(channels: outputs, frames: mostFrames)
        row = PlanarBlock(channels: 1, frames: mostFrames)
    }

    /// Fades to other filters of the same shape over 2048 frames, or, while a fade goes on, behind it.
    package mutating func exchange(for other: ArrayFilters) {
        precondition(
            other.tapCount == taps && other.inputCount == inputs && other.outputCount == outputs,
            "filters of another shape")
        if next == nil { (next, faded) = (other, 0) } else { pending = other }
    }

    /// Takes `frames` ≤ `mostFrames` frames of each input to the outputs.
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
            // From the left: what is moved lies behind where it goes.
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
                        // The newest frame of the history belongs to tap 0.
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
