import Convolution
import Glibc

// Length of the responses, and the error of shortening them.
extension FieldPreparation {
    /// Error of shortening a set's responses: mean over responses of the rms change over critical bands, dB.
    struct TrimCost: Sendable {
        /// Error over 0.5…16 kHz.
        var audible: Double
        /// Error over 60…500 Hz.
        var low: Double
        /// Whether both errors are tolerable.
        var isTolerable: Bool {
            audible <= FieldPreparation.tolerableTrim && low <= FieldPreparation.tolerableLowTrim
        }
    }

    /// Shortens responses to the least multiple of 16 samples with a tolerable error, by bisection over some 60
    /// directions, or a little further if a shorter transform then suffices; to `longest` if no length is tolerable.
    /// Returns the error.
    mutating func trim(_ plan: inout ResponsePlan) -> TrimCost {
        plan.isFaded = true
        var (low, high) = (5, FieldPreparation.longest(set.sampleRate) / 16)
        high = min(high, plan.transformCount / 32)
        var best = cost(of: &plan, taps: 16 * high)
        while high - low > 1 {
            let middle = (low + high) / 2
            let cost = cost(of: &plan, taps: 16 * middle)
            if cost.isTolerable { (high, best) = (middle, cost) } else { low = middle }
        }
        if best.isTolerable, let shorter = lengthThatFits(16 * high) {
            let cost = cost(of: &plan, taps: shorter)
            if cost.audible <= FieldPreparation.stillTolerable, cost.low <= FieldPreparation.tolerableLowTrim {
                return cost
            }
        }
        plan.taps = 16 * high
        return best
    }

    /// Returns the length, up to a seventh shorter than `taps`, at which a shorter transform holds the played response
    /// at 48 kHz with slices of 64; nil without one.
    ///
    /// A source's cost is that of its transforms. The played response contains the delays and the interpolator's reach
    /// (50 samples) or the converter's ringing (90). One rate decides for all session rates, so that a set sounds the
    /// same at each.
    private func lengthThatFits(_ taps: Int) -> Int? {
        let ratio = 48_000 / set.sampleRate
        let spread = (alignment.onsets.max() ?? 0) - (alignment.onsets.min() ?? 0)
        let around = (ratio == 1 ? 50.0 : 90) + 4
        let played = Int((Double(taps) + spread) * ratio + around)
        var (room, size) = (0, 32)
        while size - 63 < played {
            room = size - 63
            size = OddFourier.length(atLeast: size + 1)
        }
        let shorter = Int((Double(room) - around) / ratio - spread)
        return shorter >= taps * 6 / 7 ? shorter : nil
    }

    /// Returns the largest length of a response, samples: 10 ms.
    static func longest(_ sampleRate: Double) -> Int { 16 * Int((0.01 * sampleRate / 16).rounded()) }

    /// Returns the error of a window of a number of samples, without the change common to all responses, which `finish`
    /// corrects.
    private func cost(of plan: inout ResponsePlan, taps: Int) -> TrimCost {
        plan.taps = taps
        let some = set.some(60)
        let bins = plan.transformCount / 2 + 1
        let binHz = set.sampleRate / Double(plan.transformCount)
        let ranges = [(500.0, 16_000.0), (60.0, 500.0)].map {
            CriticalBands(from: $0.0, to: $0.1, binHz: binHz, binCount: bins)
        }
        let counts = ranges.map { $0.centres.count }
        let width = counts[0] + counts[1]
        // Changes in dB, `[direction][ear][band]`.
        var changes = [Double](repeating: 0, count: some.count * 2 * width)
        let (fixed, window) = (plan, plan.window)
        changes.withUnsafeMutableBufferPointer { changes in
            let changes = changes
            inParallel(some.count, chunk: 4) { range in
                var chain = ResponseChain(set, fixed, alignment)
                for place in range {
                    chain.process(some[place])
                    let before = (0..<2).map { ear in ranges.flatMap { $0.decibels(chain.ears, ear) } }
                    chain.shorten(window)
                    let after = chain.spectra
                    for ear in 0..<2 {
                        let now = ranges.flatMap { $0.decibels(after, ear) }
                        for band in 0..<width {
                            changes[(2 * place + ear) * width + band] = now[band] - before[ear][band]
                        }
                    }
                }
            }
        }
        let rows = 2 * some.count
        for band in 0..<width {
            let mean = (0..<rows).reduce(0) { $0 + changes[$1 * width + band] } / Double(rows)
            for row in 0..<rows { changes[row * width + band] -= mean }
        }
        func mean(_ bands: Range<Int>) -> Double {
            (0..<rows).reduce(0) { sum, row in
                sum
                    + (bands.reduce(0) { $0 + changes[row * width + $1] * changes[row * width + $1] }
                    / Double(bands.count)).squareRoot()
            } / Double(rows)
        }
        return TrimCost(audible: mean(0..<counts[0]), low: mean(counts[0]..<width))
    }

    /// Flattens the ripple that equalisation, the joined sphere and trimming left in the diffuse field (±6 dB at most).
    /// The diffuse field of the shortened responses is measured and a common minimum-phase filter corrects it, in two
    /// rounds. In a set without equalisation only the lowest octaves are flattened, where the sphere was joined.
    func finish(_ plan: inout ResponsePlan, isWhole: Bool) {
        let some = set.some(200)
        let weights = DiffuseField.weights(some.map { set.directions[$0] })
        let count = plan.transformCount
        let transform = FourierTransform(minimumCount: count)
        var gains = [Double](repeating: 0, count: count / 2 + 1)
        for _ in 0..<2 {
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
                let octaves = log2(max(1, Double(bin) * field.binHz) / 500)
                let share = isWhole ? 1 : max(0, min(1, 1 - octaves))
                gains[bin] = max(-6, min(6, gains[bin] + share * (mean - smoothed[bin])))
            }
            plan.finish = MinimumPhase.spectrum(decibels: gains)
        }
    }
}
