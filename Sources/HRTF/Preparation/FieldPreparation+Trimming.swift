import Glibc

// Length of the responses, and the error of shortening them.
extension FieldPreparation {
    /// Error of shortening a set's responses: the RMS change over critical bands, dB, averaged over responses.
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

    /// Shortens responses to the least multiple of 16 samples, at least 96, with a tolerable error, by bisection. The
    /// errors are those of up to 60 directions. If no length is tolerable, the length is `longest`, or half the
    /// transform if that is shorter. Returns the error.
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
        plan.taps = 16 * high
        return best
    }

    /// Returns the greatest length of a response, samples: 10 ms.
    static func longest(_ sampleRate: Double) -> Int { 16 * Int((0.01 * sampleRate / 16).rounded()) }

    /// Returns the error of a window of `taps` samples. It excludes the change common to all responses, which `finish`
    /// corrects.
    private func cost(of plan: inout ResponsePlan, taps: Int) -> TrimCost {
        plan.taps = taps
        return cost(of: plan)
    }

    /// Returns the error of shortening by a plan. With `countingCommon` it includes the change common to all responses.
    private func cost(of plan: ResponsePlan, countingCommon: Bool = false) -> TrimCost {
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
        for band in 0..<width where !countingCommon {
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

    /// Divides trimmed responses into a short part with all frequencies and a longer part with low frequencies. The
    /// first part is as short as the tolerance permits, but not shorter than `wideTapsThatFit`.
    ///
    /// - Parameters:
    ///   - least: error of trimming alone. The error of the divided responses may be up to three quarters of this
    ///     error, or `tolerablePart` if that is larger.
    ///   - isFlattened: whether `finish` compensates for the change common to all responses.
    /// - Returns: the error. Nil, with the plan unchanged, if no length up to `longestWide` is tolerable.
    func part(_ plan: inout ResponsePlan, costing least: TrimCost, isFlattened: Bool) -> TrimCost? {
        let scale = set.sampleRate / 48_000
        var parted = plan
        parted.taps = min(FieldPreparation.longest(set.sampleRate), plan.transformCount / 2)
        let cuts = FieldPreparation.shortOnsets.map { max(0, plan.preroll - Int(($0 * scale).rounded())) }
        let power = meanPower(plan)
        var taps = wideTapsThatFit
        while taps <= min(Int(FieldPreparation.longestWide * scale), parted.taps) {
            for cut in cuts where taps <= parted.taps - cut {
                parted.cut = cut
                parted.parts = PartDesign(
                    wideTaps: taps, taps: parted.taps - cut, power: power, sampleRate: set.sampleRate)
                let cost = cost(of: parted, countingCommon: !isFlattened)
                if cost.audible <= max(FieldPreparation.tolerablePart, 0.75 * least.audible),
                    cost.low <= FieldPreparation.tolerableLowTrim
                {
                    plan = parted
                    return cost
                }
            }
            taps += 4
        }
        return nil
    }

    /// Greatest length of the first part, samples, that adds no processor time. At 48 kHz in slices (blocks of
    /// processing) of 64 samples, this part, the delays and the ringing of converter or interpolator together fill a
    /// transform of 256. The length is computed for 48 kHz at every session rate, so that a set sounds the same at all
    /// rates.
    private var wideTapsThatFit: Int {
        let ratio = 48_000 / set.sampleRate
        let spread = (alignment.onsets.max() ?? 0) - (alignment.onsets.min() ?? 0)
        let room = 256 - 63 - FieldPreparation.around
        return max(FieldPreparation.fewest, 4 * Int((room / ratio - spread) / 4))
    }

    /// Number of samples at 48 kHz that conversion or interpolation adds to a response.
    private static let around = 58.0
    private static let fewest = 48
    /// Samples at 48 kHz before the onset of divided responses. The first value with a tolerable error is used. More
    /// samples keep interaural delays nearer to the measured ones (KEMAR: error of 1.3 µs instead of 1.7 µs).
    private static let shortOnsets = [24.0, 17]
    /// Greatest number of samples at 48 kHz of the first part.
    private static let longestWide = 144.0
    /// Tolerable change of critical bands by dividing responses: dB RMS over 0.5…16 kHz, averaged over responses.
    static let tolerablePart = 0.095

    /// Returns the mean power of undivided responses by a plan, bins 0…n/2.
    private func meanPower(_ plan: ResponsePlan) -> [Double] {
        let some = set.some(60)
        var power = [Double](repeating: 0, count: plan.transformCount / 2 + 1)
        var chain = ResponseChain(set, plan, alignment)
        for index in some {
            chain.process(index)
            for ear in 0..<2 {
                for bin in power.indices {
                    let (a, b) = (chain.ears.real[ear][bin], chain.ears.imaginary[ear][bin])
                    power[bin] += (a * a + b * b) / Double(2 * some.count)
                }
            }
        }
        return power
    }

    /// Corrects the deviation of the diffuse field that remains after equalisation, crossover to the sphere and
    /// trimming, by at most ±6 dB. The diffuse field of the shortened responses is measured, and a common minimum-phase
    /// filter compensates for its deviation, in two rounds. If `isWhole` is false (no diffuse-field equalisation), only
    /// the frequencies of the sphere are corrected: completely below 500 Hz, and less and less up to 1 kHz.
    func finish(_ plan: inout ResponsePlan, isWhole: Bool) {
        let some = set.some(200)
        let weights = DiffuseField.weights(some.map { set.directions[$0] })
        let count = plan.transformCount
        let transform = FourierTransform(minimumCount: count)
        var gains = [Double](repeating: 0, count: count / 2 + 1)
        for _ in 0..<2 {
            let rows = set.aligned(plan, alignment, of: some)
            let taps = plan.rowTaps
            var power = [Double](repeating: 0, count: count / 2 + 1)
            var real = [Double](repeating: 0, count: count)
            var imaginary = real
            for place in some.indices {
                let row = 2 * place * taps
                for i in 0..<count {
                    real[i] = i < taps ? Double(rows[row + i]) : 0
                    imaginary[i] = i < taps ? Double(rows[row + taps + i]) : 0
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
