/// Extracts one direction's data from a measurement's, for any order of axes.
struct EmitterMixer {
    let axes: EmitterAxes
    private let samples: Int
    private let emitters: Int
    private let mixing: HeadDirections.Mixing

    init(axes: EmitterAxes, shape: [Int], mixing: HeadDirections.Mixing) {
        (self.axes, self.mixing) = (axes, mixing)
        (samples, emitters) = axes.counts(shape)
    }

    /// Returns `[receiver][sample]` of the direction at `place`: an emitter's, or a sum over spherical harmonics.
    /// O(samples), or O(samples · harmonics).
    func pair(_ values: ArraySlice<Float>, _ place: Int) -> [Float] {
        guard axes != .single else { return Array(values) }
        var result = [Float](repeating: 0, count: 2 * samples)
        values.withUnsafeBufferPointer { source in
            switch (mixing, axes) {
            case (.none, .emittersLast):
                for i in 0..<(2 * samples) { result[i] = source[i * emitters + place] }
            case (.none, _):
                for ear in 0..<2 {
                    for n in 0..<samples {
                        result[ear * samples + n] = source[(ear * emitters + place) * samples + n]
                    }
                }
            case (.harmonics(let weights), .emittersLast):
                weights[place].withUnsafeBufferPointer { weights in
                    for i in 0..<(2 * samples) {
                        // Four sums, so that additions do not depend on each other.
                        var sums = SIMD4<Float>.zero
                        var e = 0
                        while e + 4 <= emitters {
                            let row = i * emitters + e
                            sums +=
                                SIMD4(source[row], source[row + 1], source[row + 2], source[row + 3])
                                * SIMD4(weights[e], weights[e + 1], weights[e + 2], weights[e + 3])
                            e += 4
                        }
                        var sum = sums.sum()
                        while e < emitters {
                            sum += source[i * emitters + e] * weights[e]
                            e += 1
                        }
                        result[i] = sum
                    }
                }
            case (.harmonics(let weights), _):
                for ear in 0..<2 {
                    for e in 0..<emitters {
                        let (start, weight) = ((ear * emitters + e) * samples, weights[place][e])
                        for n in 0..<samples { result[ear * samples + n] += weight * source[start + n] }
                    }
                }
            }
        }
        return result
    }
}
