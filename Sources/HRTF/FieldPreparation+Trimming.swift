import Glibc

// How long responses must be, and what making them shorter costs.
extension FieldPreparation {
    /// Shortens responses to the least length that changes no more than `tolerableTrim` in critical bands.
    /// Returns the mean change in dB.
    func trim(_ plan: inout ResponsePlan) -> Double {
        let stride = max(1, set.directions.count / 60)
        let some = Swift.stride(from: 0, to: set.directions.count, by: stride).map { $0 }
        let long = set.aligned(plan, alignment, of: some)
        let full = plan.taps
        let bands = CriticalBands(
            from: 60, to: 16_000, binHz: set.sampleRate / Double(plan.transformCount),
            binCount: plan.transformCount / 2 + 1)
        let reference = FieldPreparation.levels(long, full, window: nil, bands, plan.transformCount)
        plan.isFaded = true
        var change = 0.0
        for length in [128, 160, 192, 224, 256, 320, 384, 512, 768, 1024] {
            let taps = 16 * Int((Double(length) * set.sampleRate / 48_000 / 16).rounded(.up))
            guard taps < full else { break }
            var shorter = plan
            shorter.taps = taps
            let levels = FieldPreparation.levels(long, full, window: shorter.window, bands, plan.transformCount)
            let distances = zip(reference, levels).map { CriticalBands.distance($0, $1) }
            change = distances.reduce(0, +) / Double(distances.count)
            if change <= FieldPreparation.tolerableTrim {
                plan.taps = taps
                break
            }
        }
        return plan.taps == full ? 0 : change
    }

    /// Flattens what joining the sphere and trimming left of waves in the diffuse field below 1 kHz (±6 dB at most):
    /// the played responses are measured and a common minimum-phase filter takes their deviation back, three times
    /// over.
    func finish(_ plan: inout ResponsePlan) {
        let stride = max(1, set.directions.count / 150)
        let some = Swift.stride(from: 0, to: set.directions.count, by: stride).map { $0 }
        let weights = DiffuseField.weights(some.map { set.directions[$0] })
        let count = plan.transformCount
        let transform = FourierTransform(minimumCount: count)
        var gains = [Double](repeating: 0, count: count / 2 + 1)
        for _ in 0..<3 {
            let rows = set.aligned(plan, alignment, of: some)
            var power = [Double](repeating: 0, count: count / 2 + 1)
            var real = [Double](repeating: 0, count: count)
            var imaginary = real
            for place in some.indices {
                let row = 2 * place * plan.taps
                for i in 0..<count {
                    real[i] = i < plan.taps ? Double(rows[row + i]) : 0
                    imaginary[i] = i < plan.taps ? Double(rows[row + plan.taps + i]) : 0
                }
                transform.forward(&real, &imaginary)
                DiffuseField.add(&power, real, imaginary, weight: weights[place])
            }
            let field = DiffuseField(power: power, binHz: set.sampleRate / Double(count))
            let smoothed = field.smoothedDecibels(heldBelow: 30)
            let mean = field.statistics(smoothed, from: 1000, to: 8000).mean
            for bin in gains.indices {
                let octaves = log2(max(1, Double(bin) * field.binHz) / 1000)
                let share = max(0, min(1, 1 - octaves))
                gains[bin] = max(-6, min(6, gains[bin] + share * (mean - smoothed[bin])))
            }
            plan.finish = MinimumPhase.spectrum(decibels: gains)
        }
    }

    /// Levels of critical bands of `[row][tap]` under a window (nil: as they are), one list per row.
    private static func levels(
        _ rows: [Float], _ taps: Int, window: [Double]?, _ bands: CriticalBands, _ count: Int
    ) -> [[Double]] {
        let transform = FourierTransform(minimumCount: count)
        var ears = EarSpectra(binCount: count / 2 + 1)
        var real = [Double](repeating: 0, count: count)
        var imaginary = real
        let kept = window?.count ?? taps
        return stride(from: 0, to: rows.count / taps, by: 2).flatMap { row -> [[Double]] in
            for i in 0..<count {
                let weight = i < kept ? window?[i] ?? 1 : 0
                real[i] = i < taps ? Double(rows[row * taps + i]) * weight : 0
                imaginary[i] = i < taps ? Double(rows[(row + 1) * taps + i]) * weight : 0
            }
            transform.forward(&real, &imaginary)
            ears.separate(real, imaginary)
            return (0..<2).map { ear in
                bands.decibels { bin in
                    ears.real[ear][bin] * ears.real[ear][bin] + ears.imaginary[ear][bin] * ears.imaginary[ear][bin]
                }
            }
        }
    }
}
