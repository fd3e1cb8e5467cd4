import Foundation

/// Peak of the posterior of all merits, and the curvature at the peak: P.-S. Laplace's approximation by a normal
/// distribution, after L. Tierney and J. B. Kadane, Accurate approximations for posterior moments and marginal
/// densities (JASA 81, 1986).
///
/// The merits have independent normal priors of mean 0 and equal standard deviation. The logarithm of likelihood times
/// prior is concave. Newton's method, with a step that is halved until the value does not fall, therefore finds the
/// only peak. A few steps suffice; each takes O(sets³).
struct LaplaceFit {
    /// Merits at the peak, `[set]`.
    private(set) var peak: [Double]
    /// Lower triangle of the curvature's Cholesky factor, row-major `[set][set]`.
    private(set) var factor: [Double]
    /// Sum of the natural logarithms of the factor's diagonal: half the logarithm of the determinant of the curvature.
    let logDiagonal: Double

    private let model: PreferenceModel
    private let deviation: Double
    private let counts: PreferenceCounts

    /// Fits the posterior to answers; `deviation` > 0 is the standard deviation of the merits' prior.
    init(_ counts: PreferenceCounts, model: PreferenceModel, deviation: Double) {
        (self.counts, self.model, self.deviation) = (counts, model, deviation)
        let n = counts.sets
        let pairs = counts.pairs
        var merits = [Double](repeating: 0, count: n)
        var (curvature, value) = ([Double](), Self.height(merits, counts, model, deviation))
        for _ in 0..<60 {
            var gradient = merits.map { -$0 / (deviation * deviation) }
            curvature = [Double](repeating: 0, count: n * n)
            for set in 0..<n { curvature[set * n + set] = 1 / (deviation * deviation) }
            for pair in pairs {
                let slopes = model.slopes(merits[pair.first] - merits[pair.second])
                let count = pair.wins + pair.losses + pair.ties
                let slope = (pair.wins - pair.losses) / 2 - count * slopes.first
                gradient[pair.first] += slope
                gradient[pair.second] -= slope
                let bend = count * slopes.second
                curvature[pair.first * n + pair.first] += bend
                curvature[pair.second * n + pair.second] += bend
                curvature[pair.first * n + pair.second] -= bend
                curvature[pair.second * n + pair.first] -= bend
            }
            Self.factorise(&curvature, n)
            if gradient.allSatisfy({ abs($0) < 1e-9 }) { break }
            let step = Self.solved(curvature, gradient, n)
            var share = 1.0
            while share > 1e-6 {
                let next = zip(merits, step).map { $0 + share * $1 }
                let height = Self.height(next, counts, model, deviation)
                if height >= value {
                    (merits, value) = (next, height)
                    break
                }
                share /= 2
            }
            if share <= 1e-6 { break }
        }
        peak = merits
        factor = curvature
        logDiagonal = (0..<n).reduce(0) { $0 + log(curvature[$1 * n + $1]) }
    }

    /// Returns the natural logarithm of likelihood times prior at `merits`, including the constant of the prior.
    func height(_ merits: [Double]) -> Double { Self.height(merits, counts, model, deviation) }

    private static func height(
        _ merits: [Double], _ counts: PreferenceCounts, _ model: PreferenceModel, _ deviation: Double
    ) -> Double {
        let squares = merits.reduce(0) { $0 + $1 * $1 }
        return model.logLikelihood(counts, merits: merits) - squares / (2 * deviation * deviation)
            - Double(merits.count) * log(deviation * (2 * .pi).squareRoot())
    }

    /// Transforms a standard normal draw `z` to merits of the fitted distribution: peak + `scale` · L⁻ᵀ z, with L =
    /// `factor`.
    func merits(at z: ArraySlice<Double>, scale: Double) -> [Double] {
        let n = peak.count
        var x = [Double](repeating: 0, count: n)
        for row in stride(from: n - 1, through: 0, by: -1) {
            var sum = scale * z[z.startIndex + row]
            for below in (row + 1)..<max(n, row + 1) { sum -= factor[below * n + row] * x[below] }
            x[row] = sum / factor[row * n + row]
        }
        return zip(peak, x).map { $0 + $1 }
    }

    /// Replaces the lower triangle of a positive definite matrix by its Cholesky factor.
    private static func factorise(_ a: inout [Double], _ n: Int) {
        for j in 0..<n {
            for k in 0..<j { a[j * n + j] -= a[j * n + k] * a[j * n + k] }
            a[j * n + j] = max(a[j * n + j], 1e-12).squareRoot()
            for i in (j + 1)..<max(n, j + 1) {
                for k in 0..<j { a[i * n + j] -= a[i * n + k] * a[j * n + k] }
                a[i * n + j] /= a[j * n + j]
            }
        }
    }

    /// Solves A x = b with the Cholesky factor of A.
    private static func solved(_ factor: [Double], _ b: [Double], _ n: Int) -> [Double] {
        var y = b
        for i in 0..<n {
            for k in 0..<i { y[i] -= factor[i * n + k] * y[k] }
            y[i] /= factor[i * n + i]
        }
        for i in stride(from: n - 1, through: 0, by: -1) {
            for k in (i + 1)..<max(n, i + 1) { y[i] -= factor[k * n + i] * y[k] }
            y[i] /= factor[i * n + i]
        }
        return y
    }
}
