import Glibc
import HRTF

/// Spectra of two real signals a and b, transformed together as a + i·b, and their cross-correlation.
struct PairSpectra {
    /// Spectra of a and b, `[bin]`, in the order of the transform.
    private(set) var first: [SIMD2<Double>], second: [SIMD2<Double>]
    /// Circular cross-correlation of the signals, `[lag]`: the inverse transform of the spectrum of b times the
    /// conjugate spectrum of a.
    private let correlation: [Double]

    /// Transforms two signals of the transform's length.
    init(_ a: [Double], _ b: [Double], _ transform: FourierTransform) {
        let n = transform.count
        var (real, imaginary) = (a, b)
        transform.forward(&real, &imaginary)
        first = [SIMD2<Double>](repeating: .zero, count: n)
        second = first
        var (across, rest) = (real, imaginary)
        for k in 0..<n {
            let m = (n - k) & (n - 1)
            let p = SIMD2((real[k] + real[m]) / 2, (imaginary[k] - imaginary[m]) / 2)
            let q = SIMD2((imaginary[k] + imaginary[m]) / 2, (real[m] - real[k]) / 2)
            (first[k], second[k]) = (p, q)
            (across[k], rest[k]) = (q.x * p.x + q.y * p.y, q.y * p.x - q.x * p.y)
        }
        transform.inverse(&across, &rest)
        correlation = across
    }

    /// Returns the delay of b relative to a, samples: the lag of the largest correlation within `reach` of `middle`,
    /// interpolated by a parabola through three values.
    func lag(about middle: Double, within reach: Double) -> Double {
        let n = correlation.count
        func value(_ lag: Int) -> Double { correlation[(lag % n + n) % n] }
        var best = Int(middle.rounded())
        for lag in Int((middle - reach).rounded(.down))...Int((middle + reach).rounded(.up))
        where value(lag) > value(best) { best = lag }
        let (before, at, after) = (value(best - 1), value(best), value(best + 1))
        let bend = before - 2 * at + after
        return Double(best) + (bend < 0 ? max(-0.5, min(0.5, (before - after) / (2 * bend))) : 0)
    }

    /// Returns bin `k` of both spectra, with a delayed by the first number of samples and b by the second.
    func delayed(_ k: Int, _ samples: (Double, Double)) -> (SIMD2<Double>, SIMD2<Double>) {
        let n = first.count
        let frequency = Double(k <= n / 2 ? k : k - n)
        let unit = k == n / 2 ? 0 : -2 * Double.pi * frequency / Double(n)
        return (Self.turned(first[k], unit * samples.0), Self.turned(second[k], unit * samples.1))
    }

    /// Returns the octave of a bin: 0 for bins 0 and 1, 1 for bins 2 and 3, 2 for bins 4 to 7 …
    static func octave(_ bin: Int) -> Int { Int.bitWidth - 1 - max(1, bin).leadingZeroBitCount }

    private static func turned(_ value: SIMD2<Double>, _ angle: Double) -> SIMD2<Double> {
        let (c, s) = (cos(angle), sin(angle))
        return SIMD2(value.x * c - value.y * s, value.x * s + value.y * c)
    }
}
