/// Extracts the data of one emitter from the data of a measurement, for any order of axes.
struct EmitterMixer {
    let axes: EmitterAxes
    private let samples: Int
    private let emitters: Int

    init(axes: EmitterAxes, shape: [Int]) {
        self.axes = axes
        (samples, emitters) = axes.counts(shape)
    }

    /// Returns `[receiver][sample]` of the emitter at `place`. O(samples).
    func pair(_ values: ArraySlice<Float>, _ place: Int) -> [Float] {
        guard axes != .single else { return Array(values) }
        var result = [Float](repeating: 0, count: 2 * samples)
        values.withUnsafeBufferPointer { source in
            if axes == .emittersLast {
                for i in 0..<(2 * samples) { result[i] = source[i * emitters + place] }
            } else {
                for ear in 0..<2 {
                    for n in 0..<samples {
                        result[ear * samples + n] = source[(ear * emitters + place) * samples + n]
                    }
                }
            }
        }
        return result
    }
}
