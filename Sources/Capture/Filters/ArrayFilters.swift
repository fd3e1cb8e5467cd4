import HRTF
import Signal

/// FIR filters from the inputs of an array to its outputs, one for each pair of input and output.
package struct ArrayFilters: Sendable {
    /// Number of inputs.
    package let inputCount: Int
    /// Number of outputs.
    package let outputCount: Int
    /// Number of taps of each filter.
    package let tapCount: Int
    /// Latency of all outputs, frames.
    package let delayFrames: Int
    /// Taps of all filters, `[output][input][tap]`.
    package let taps: [Float]
    /// Shape of each filter, `[output][input]`.
    private let shapes: [Shape]

    /// Shape of one filter, which determines its cost.
    enum Shape: Sendable {
        /// All taps are zero.
        case silent
        /// Only one tap is not zero. The filter is a gain with a delay in samples.
        case delay(Int)
        /// More than one tap is not zero.
        case full

        init(_ taps: ArraySlice<Float>) {
            guard let first = taps.firstIndex(where: { $0 != 0 }) else {
                self = .silent
                return
            }
            self = taps[(first + 1)...].allSatisfy { $0 == 0 } ? .delay(first - taps.startIndex) : .full
        }
    }

    /// Returns the shape of the filter from an input to an output.
    func shape(output: Int, input: Int) -> Shape { shapes[output * inputCount + input] }

    /// Creates filters of gains, `[output][input]`. They are delayed by half of `tapCount`, so that they align with
    /// filters of that length; with one tap there is no delay.
    package init(gains: [[Double]], tapCount: Int) {
        let middle = tapCount / 2
        self.init(
            inputCount: gains.first?.count ?? 0, outputCount: gains.count, tapCount: tapCount, delayFrames: middle,
            taps: gains.flatMap { row in
                row.flatMap { gain in (0..<tapCount).map { $0 == middle ? Float(gain) : 0 } }
            })
    }

    /// Creates filters from spectra whose impulse responses are centred at time 0. The filters are delayed by half
    /// their length, and both ends are faded.
    ///
    /// - Parameters:
    ///   - weights: `[output][bin]`, bins 0…length/2.
    ///   - length: length of the transform and of the filters, samples; a power of two.
    init(_ weights: [[ResponseFit.Weights]], inputs: Int, length: Int) {
        let transform = FourierTransform(minimumCount: length)
        var taps: [Float] = []
        taps.reserveCapacity(weights.count * inputs * length)
        for bins in weights {
            for input in 0..<inputs {
                var (real, imaginary) = ([Double](repeating: 0, count: length), [Double](repeating: 0, count: length))
                for bin in 0...(length / 2) {
                    // A delay by half the length inverts the sign of every other bin.
                    let sign: Double = bin & 1 == 0 ? 1 : -1
                    let isEdge = bin == 0 || bin == length / 2
                    real[bin] = sign * bins[bin].real[input]
                    imaginary[bin] = isEdge ? 0 : sign * bins[bin].imaginary[input]
                    guard !isEdge else { continue }
                    (real[length - bin], imaginary[length - bin]) = (real[bin], -imaginary[bin])
                }
                transform.inverse(&real, &imaginary)
                let ease = length / 8
                for i in 0..<length {
                    let inner = min(i, length - i)
                    let gain = inner < ease ? RaisedCosine.value(inner, of: ease) : 1
                    taps.append(Float(gain * real[i]))
                }
            }
        }
        self.init(
            inputCount: inputs, outputCount: weights.count, tapCount: length, delayFrames: length / 2, taps: taps)
    }

    /// Returns one filter, `tapCount` samples.
    package func filter(output: Int, input: Int) -> ArraySlice<Float> {
        let start = (output * inputCount + input) * tapCount
        return taps[start..<(start + tapCount)]
    }

    /// Returns filters whose outputs are these outputs followed by those of `other`. Both must have the same inputs,
    /// taps and latency.
    package func joined(with other: ArrayFilters) -> ArrayFilters {
        precondition(inputCount == other.inputCount && tapCount == other.tapCount)
        return ArrayFilters(
            inputCount: inputCount, outputCount: outputCount + other.outputCount, tapCount: tapCount,
            delayFrames: delayFrames, taps: taps + other.taps)
    }

    /// Returns filters that are equivalent to `gains`, which has one tap, followed by these filters.
    func behind(_ gains: ArrayFilters) -> ArrayFilters {
        precondition(gains.tapCount == 1 && gains.outputCount == inputCount)
        var taps: [Float] = []
        for output in 0..<outputCount {
            for input in 0..<gains.inputCount {
                var sum = [Float](repeating: 0, count: tapCount)
                for middle in 0..<inputCount {
                    let gain = gains.taps[middle * gains.inputCount + input]
                    guard gain != 0 else { continue }
                    for (i, tap) in filter(output: output, input: middle).enumerated() { sum[i] += gain * tap }
                }
                taps += sum
            }
        }
        return ArrayFilters(
            inputCount: gains.inputCount, outputCount: outputCount, tapCount: tapCount, delayFrames: delayFrames,
            taps: taps)
    }

    private init(inputCount: Int, outputCount: Int, tapCount: Int, delayFrames: Int, taps: [Float]) {
        (self.inputCount, self.outputCount, self.tapCount) = (inputCount, outputCount, tapCount)
        (self.delayFrames, self.taps) = (delayFrames, taps)
        shapes = (0..<(inputCount * outputCount)).map { Shape(taps[($0 * tapCount)..<(($0 + 1) * tapCount)]) }
    }

    /// Returns the number of taps of filters at a sample rate. It is the least power of two that is at least 512 and at
    /// least 10.5 ms long.
    package static func length(at rate: SampleRate) -> Int {
        var length = 512
        while Double(length) < 0.0105 * rate.hertz { length *= 2 }
        return length
    }
}
