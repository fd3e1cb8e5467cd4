import Geometry
import Glibc

/// Mean power of a set's responses in a diffuse field, and the filter that flattens it.
struct DiffuseField: Sendable {
    /// Power per bin, 0…n/2, mean over directions (weighted by solid angle) and ears.
    var power: [Double]
    /// Spacing of the bins, hertz.
    var binHz: Double

    /// Returns the solid angle that belongs to each direction, with sum 1, computed on 2594 points of a grid. Each
    /// angle is limited to three times the median. Otherwise, in a set without directions far below the horizon, the
    /// lowest directions would get the weight of the whole unmeasured region below them.
    static func weights(_ directions: [Direction<Head>]) -> [Double] {
        let grid = RingGrid(stepDegrees: 4)
        let spline = SphericalSpline(directions)
        let points = grid.directions(in: Head.self)
        let angles = grid.solidAngles
        var owner = [Int](repeating: 0, count: points.count)
        owner.withUnsafeMutableBufferPointer { owner in
            let owner = owner
            inParallel(points.count, chunk: 256) { range in
                for point in range {
                    owner[point] = spline.nearest(to: points[point].unit, count: 1)[0]
                }
            }
        }
        var weights = [Double](repeating: 0, count: directions.count)
        for point in points.indices { weights[owner[point]] += angles[point] }
        let median = weights.filter { $0 > 0 }.sorted()[weights.count { $0 > 0 } / 2]
        weights = weights.map { min($0, 3 * median) }
        let sum = weights.reduce(0, +)
        return weights.map { $0 / sum }
    }

    /// Adds the mean power of two ears, transformed as left + i·right: (|L|² + |R|²)/2 = (|Z[k]|² + |Z[n−k]|²)/4.
    static func add(_ power: inout [Double], _ real: [Double], _ imaginary: [Double], weight: Double) {
        let count = real.count
        for k in power.indices {
            let mirror = (count - k) & (count - 1)
            let sum =
                real[k] * real[k] + imaginary[k] * imaginary[k] + real[mirror] * real[mirror]
                + imaginary[mirror] * imaginary[mirror]
            power[k] += weight * sum / 4
        }
    }

    /// Returns the power in dB, smoothed over thirds of an octave. It is constant below `lowest`, hertz, and above 18
    /// kHz or 0.85 of the Nyquist frequency, whichever is lower.
    func smoothedDecibels(heldBelow lowest: Double = 200) -> [Double] {
        var sums = [0.0]
        for value in power { sums.append(sums[sums.count - 1] + value) }
        let last = power.count - 1
        let top = min(18_000, 0.85 * Double(last) * binHz)
        let width = pow(2, 1.0 / 6)
        return power.indices.map { bin in
            let centre = max(lowest, min(top, Double(bin) * binHz)) / binHz
            let low = max(1, Int((centre / width).rounded()))
            let high = max(low, min(last, Int((centre * width).rounded())))
            return 10 * log10(max(1e-30, (sums[high + 1] - sums[low]) / Double(high + 1 - low)))
        }
    }

    /// Returns the mean and the RMS deviation, in dB, of a curve with one value per bin. The curve is sampled at
    /// frequencies equally spaced in octaves, from `low` to `high` hertz.
    func statistics(_ decibels: [Double], from low: Double, to high: Double) -> (mean: Double, deviation: Double) {
        let values = logarithmicBins(from: low, to: high).map { decibels[$0] }
        let mean = values.reduce(0, +) / Double(values.count)
        let square = values.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(values.count)
        return (mean, square.squareRoot())
    }

    /// Returns the levels of thirds of an octave at 0.2…16 kHz relative to the mean over 0.3…8 kHz, dB, with their
    /// centre frequencies, hertz.
    func thirds() -> [(decibels: Double, frequency: Double)] {
        let smoothed = smoothedDecibels()
        let mean = statistics(smoothed, from: 300, to: 8000).mean
        let top = 0.85 * Double(power.count - 1) * binHz
        let middles: [Double] = (-7...12).map { 1000 * pow(2, Double($0) / 3) }
        return middles.filter { $0 <= top }.map { middle in
            (smoothed[Int((middle / binHz).rounded())] - mean, middle)
        }
    }

    /// The third of an octave whose level deviates most from the mean.
    var largestDeviation: (decibels: Double, frequency: Double) {
        thirds().max { abs($0.decibels) < abs($1.decibels) } ?? (0, 1000)
    }

    /// Mean power over 0.3…8 kHz at frequencies equally spaced in octaves. All responses are divided by its square
    /// root.
    var level: Double {
        let bins = logarithmicBins(from: 300, to: 8000)
        return bins.map { power[$0] }.reduce(0, +) / Double(bins.count)
    }

    /// Returns bins at 24 frequencies per octave.
    private func logarithmicBins(from low: Double, to high: Double) -> [Int] {
        let top = min(high, 0.95 * Double(power.count - 1) * binHz)
        let steps = max(1, Int(24 * log2(top / low)))
        return (0...steps).map { step in
            let frequency = low * pow(top / low, Double(step) / Double(steps))
            return max(1, min(power.count - 1, Int((frequency / binHz).rounded())))
        }
    }

    /// Returns gains in dB per bin that make the field flat: the inverse of the smoothed power about its mean over
    /// 0.3…8 kHz, within −20…+15 dB, constant below 60 Hz.
    ///
    /// `joined` is nil unless a rigid-sphere model replaces the lowest frequencies of the set; it is then the start of
    /// the crossover, hertz. In this case the gains are constant only below 40 Hz, and reach up to +30 dB below 200 Hz.
    /// The roll-off there is that of a loudspeaker, a minimum-phase system. The minimum-phase filter corrects its phase
    /// together with its level, so that the crossover to the sphere does not ring.
    func equalisation(joined: Double? = nil) -> [Double] {
        let smoothed = smoothedDecibels(heldBelow: joined == nil ? 60 : 40)
        let mean = statistics(smoothed, from: 300, to: 8000).mean
        return smoothed.indices.map { bin in
            let most = joined != nil && Double(bin) * binHz < 200 ? 30.0 : 15
            return max(-20, min(most, mean - smoothed[bin]))
        }
    }

    /// Returns the gains for a set with a flat diffuse field. They correct only the loudspeaker's bass roll-off:
    /// completely up to 2·`low`, and less and less up to 4·`low`, where they are 0 dB. `low` is the start of the
    /// crossover to a rigid-sphere model, hertz.
    func bassEqualisation(joined low: Double) -> [Double] {
        let smoothed = smoothedDecibels(heldBelow: 40)
        let reference = statistics(smoothed, from: 2 * low, to: max(8 * low, 1000)).mean
        return smoothed.indices.map { bin in
            let share = max(0, min(1, 1 - log2(max(1, Double(bin) * binHz) / (2 * low))))
            return share * max(-20, min(30, reference - smoothed[bin]))
        }
    }
}

/// Computes the minimum-phase spectrum of a magnitude by the real cepstrum (Oppenheim & Schafer, §13.5).
package enum MinimumPhase {
    /// Returns the complex spectrum, bins 0…n/2, for gains in dB at these bins. n = 2·(gains.count − 1) must be a power
    /// of two. The cepstrum is computed at 4n points, so that its aliasing is inaudible.
    package static func spectrum(decibels gains: [Double]) -> [(real: Double, imaginary: Double)] {
        let n = 4 * 2 * (gains.count - 1)
        let transform = FourierTransform(minimumCount: n)
        var real = [Double](repeating: 0, count: n)
        var imaginary = real
        for k in 0...(n / 2) {
            let place = Double(k) / 4
            let low = min(gains.count - 2, Int(place))
            let t = place - Double(low)
            let value = (gains[low] * (1 - t) + gains[low + 1] * t) * log(10) / 20
            real[k] = value
            if k > 0 && k < n / 2 { real[n - k] = value }
        }
        transform.inverse(&real, &imaginary)
        for k in 0..<n {
            if k > 0 && k < n / 2 { real[k] *= 2 } else if k > n / 2 { real[k] = 0 }
            imaginary[k] = 0
        }
        transform.forward(&real, &imaginary)
        return (0..<gains.count).map { bin in
            let size = exp(real[4 * bin])
            return (size * cos(imaginary[4 * bin]), size * sin(imaginary[4 * bin]))
        }
    }
}
