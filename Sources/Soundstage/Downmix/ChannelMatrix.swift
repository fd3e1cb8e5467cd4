/// Linear gains from the channels of one layout to the channels of another.
package struct ChannelMatrix: Hashable, Sendable {
    /// Number of input channels.
    package let inputCount: Int
    /// Gains, `[output][input]`.
    package let gains: [[Double]]

    /// Makes a matrix from rows of equal length.
    package init(inputCount: Int, gains: [[Double]]) {
        precondition(gains.allSatisfy { $0.count == inputCount })
        self.inputCount = inputCount
        self.gains = gains
    }

    /// Number of output channels.
    package var outputCount: Int { gains.count }

    /// Makes a matrix from columns, one per input.
    init(columns: [[Double]], outputCount: Int) {
        self.init(
            inputCount: columns.count,
            gains: (0..<outputCount).map { output in columns.map { $0[output] } })
    }

    /// Returns the product of two matrices: `other` is applied first, then this matrix.
    func after(_ other: ChannelMatrix) -> ChannelMatrix {
        ChannelMatrix(
            inputCount: other.inputCount,
            gains: gains.map { row in
                (0..<other.inputCount).map { input in
                    zip(row, other.gains).reduce(0) { $0 + $1.0 * $1.1[input] }
                }
            })
    }

    /// Computes `frames` ≥ 0 frames. `inputs` and `outputs` have a row per channel and must not overlap. Cannot fail,
    /// and does not allocate. Gains of 0 cost nothing. An output that is one input with gain 1 is a bit-identical copy.
    package func apply(
        _ inputs: UnsafePointer<UnsafeMutablePointer<Float>>, to outputs: UnsafePointer<UnsafeMutablePointer<Float>>,
        frames: Int
    ) {
        for (output, row) in gains.enumerated() {
            let target = outputs[output]
            var isFirst = true
            for (input, gain) in row.enumerated() where gain != 0 {
                let source = inputs[input]
                let factor = Float(gain)
                if isFirst, factor == 1 {
                    target.update(from: source, count: frames)
                } else if isFirst {
                    for i in 0..<frames { target[i] = factor * source[i] }
                } else {
                    for i in 0..<frames { target[i] += factor * source[i] }
                }
                isFirst = false
            }
            if isFirst { target.update(repeating: 0, count: frames) }
        }
    }
}
