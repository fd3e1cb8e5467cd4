import HRTF
import Signal

/// Filters from the inputs of an array to outputs, one for each pair.
package struct ArrayFilters: Sendable {
    /// Inputs.
    package let inputCount: Int
    /// Outputs.
    package let outputCount: Int
    /// Samples of each filter; 1 where they are gains.
    package let tapCount: Int
    /// Samples by which all outputs are late.
    package let delayFrames: Int
    /// `[output][input][tap]`.
    package let taps: [Float]
    /// `[output][input]`.
    private let shapes: [Shape]

    /// What one filter comes to.
    enum Shape: Sendable {
        /// Nothing.
        case silent
        /// A gain behind a delay of so many samples.
        case delay(Int)
        /// All its taps.
        case full

        init(_ taps: ArraySlice<Float>) {
            guard let first = taps.firstIndex(where: { $0 != 0 }) else {
                self = .silent
                return
            }
            self = taps[(first + 1)...].allSatisfy { $0 == 0 } ? .delay(first - taps.startIndex) : .full
        }
    }

    /// What the filter of a pair comes to.
    func shape(output: Int, input: Int) -> Shape { shapes[output * inputCount + input] }

    /// Gains behind a delay, so that they keep time with filters of so many taps; of 1, no delay.
    /// `[output][input]`.
    package init(gains: [[Double]], tapCount: Int) {
        let middle = tapCount / 2
        self.init(
            inputCount: gains.first?.count ?? 0, outputCount: gains.count, tapCount: tapCount, delayFrames: middle,
            taps: gains.flatMap { row in
                row.flatMap { gain in (0..<tapCount).map { $0 == middle ? Float(gain) : 0 } }
            })
    }

    /// Filters of spectra that have their phases around 0: late by half their length, their ends eased.
    ///
    /// - Parameters:
    ///   - weights: `[output][bin]`, bins 0…length/2.
    ///   - length: of the transform, a power of two, and of the filters.
    init(_ weights: [[ResponseFit.Weights]], inputs: Int, length: Int) {
        let transform = FourierTransform(minimumCount: length)
        var taps: [Float] = []
        taps.reserveCapacity(weights.count * inputs * length)
        for bins in weights {
            for input in 0..<inputs {
                var (real, imaginary) = ([Double](repeating: 0, count: length), [Double](repeating: 0, count: length))
                for bin in 0...(length / 2) {
                    // A shift by half the length turns the sign of every other bin.
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

    /// One filter, `tapCount` samples.
    package func filter(output: Int, input: Int) -> ArraySlice<Float> {
        let start = (output * inputCount + input) * tapCount
        return taps[start..<(start + tapCount)]
    }

    /// The outputs of one behind those of another; both take the same inputs and are equally late.
    package func joined(with other: ArrayFilters) -> ArrayFilters {
        precondition(inputCount == other.inputCount && tapCount == other.tapCount)
        return ArrayFilters(
            inputCount: inputCount, outputCount: outputCount + other.outputCount, tapCount: tapCount,
            delayFrames: delayFrames, taps: taps + other.taps)
    }

    /// These filters behind gains, which take the inputs: `[output of the gains][input]`.
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

    /// Samples of filters at a rate: 10.7 ms, a power of two.
    package static func length(at rate: SampleRate) -> Int {
        var length = 512
        while Double(length) < 0.0105 * rate.hertz { length *= 2 }
        return length
    }
}
