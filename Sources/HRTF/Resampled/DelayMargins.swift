import Glibc

/// Numbers of samples before and after a response that a delay by a fraction of a sample needs.
///
/// The interpolator of `DelayKernel` extends 31 samples ahead and 32 behind. If responses begin and end gradually, most
/// of these samples are silent.
struct DelayMargins: Hashable, Sendable {
    /// Number of samples before the first sample of a response; also the delay of a response at fraction 0.
    var lead: Int
    /// Number of samples after the last sample of a response.
    var tail: Int

    /// Mean energy that may be omitted before and after a response, dB relative to the response's energy. The omitted
    /// energy wraps around in a slice's transforms. `divided` applies to responses that are divided (`PartDesign`),
    /// `whole` to others.
    static let inaudible = (divided: -106.0, whole: -120.0)

    /// Creates margins; the default is the full length of the interpolator.
    init(lead: Int = DelayKernel.taps / 2 - 1, tail: Int = DelayKernel.taps / 2) {
        (self.lead, self.tail) = (lead, tail)
    }

    /// Computes margins for rows `[row][tap]` that are delayed by half a sample. On each side, the mean energy outside
    /// the margin is at most `level` dB relative to a row's energy. O(rows · 64²).
    init(_ rows: [Float], taps: Int, leaving level: Double = inaudible.whole) {
        let kernel = DelayKernel.interpolator(fraction: 0.5)
        let (ahead, behind) = (DelayKernel.taps / 2 - 1, DelayKernel.taps / 2)
        let count = rows.count / max(1, taps)
        // Energy per sample, from the edge outwards.
        var before = [Double](repeating: 0, count: ahead)
        var after = [Double](repeating: 0, count: behind)
        for row in 0..<count {
            let samples = rows[(row * taps)..<((row + 1) * taps)].map(Double.init)
            let energy = samples.reduce(0) { $0 + $1 * $1 }
            guard energy > 0 else { continue }
            // Sample n is the sum over i of x[i]·g[n − i + ahead].
            func delayed(_ n: Int) -> Double {
                var sum = 0.0
                for i in max(0, n + ahead - kernel.count + 1)..<max(0, min(taps, n + ahead + 1)) {
                    sum += samples[i] * kernel[n - i + ahead]
                }
                return sum * sum / energy / Double(count)
            }
            for i in 0..<ahead { before[i] += delayed(-1 - i) }
            for i in 0..<behind { after[i] += delayed(taps + i) }
        }
        lead = DelayMargins.worth(before, more: level)
        tail = DelayMargins.worth(after, more: level)
    }

    /// Returns how many of the first shares must be kept so that the sum of the others is at most `level` dB.
    private static func worth(_ shares: [Double], more level: Double) -> Int {
        let most = pow(10, level / 10)
        var (sum, number) = (0.0, shares.count)
        while number > 0 {
            sum += shares[number - 1]
            guard sum <= most else { break }
            number -= 1
        }
        return number
    }
}
