import Glibc
import Signal

/// Kaiser-windowed sinc interpolators at finely spaced fractions of a sample, for delays that move continuously.
///
/// Phase p of `phaseCount` has K taps g[k] = sinc(k − (K/2 − 1) − f)·w(k − (K/2 − 1) − f), with f = p/phaseCount and
/// the Kaiser window w. One additional phase ends the table: fraction 1 equals fraction 0 moved by one tap. With K = 64
/// taps and β = 10 the error and the images are below −100 dB up to 0.9 of the Nyquist frequency (19.8 kHz at 44.1
/// kHz), and the steps between phases are below −115 dB. With 32 taps they would be below −80 dB up to 0.84 of the
/// Nyquist frequency. Source: Kaiser's window as in Oppenheim & Schafer, Discrete-Time Signal Processing, §7.5.3.
package enum DelayKernel {
    /// Number of taps of one interpolator.
    package static var taps: Int { @_noLocks get { 64 } }
    /// Number of phases between two samples.
    package static var phaseCount: Int { @_noLocks get { 1024 } }
    /// Shape parameter β of the Kaiser window, for 100 dB.
    static let beta = 10.0

    /// Returns the table `[phase][tap]`, (phaseCount + 1)·taps floats, 64-byte aligned. The caller must free it.
    static func makeTable() -> UnsafeMutablePointer<Float> {
        let table = AlignedMemory.allocate(Float.self, count: (phaseCount + 1) * taps)
        for phase in 0...phaseCount {
            let row = interpolator(fraction: Double(phase) / Double(phaseCount))
            for k in 0..<taps { (table + phase * taps + k).initialize(to: Float(row[k])) }
        }
        return table
    }

    /// Returns the interpolator for a fraction 0…1, in double precision, scaled to unit gain at 0 Hz.
    static func interpolator(fraction: Double) -> [Double] {
        let row = (0..<taps).map { value(at: Double($0) - Double(taps / 2 - 1) - fraction) }
        let sum = row.reduce(0, +)
        return row.map { $0 / sum }
    }

    /// Returns the continuous kernel sinc(t)·w(t): even, 0 for |t| > taps/2, not scaled.
    static func value(at t: Double) -> Double {
        let half = Double(taps / 2)
        let edge = max(0, 1 - (t / half) * (t / half))
        let sinc = abs(t) < 1e-12 ? 1 : sin(.pi * t) / (.pi * t)
        return abs(t) > half ? 0 : sinc * bessel0(beta * edge.squareRoot()) / bessel0(beta)
    }

    /// Returns the modified Bessel function of the first kind, order 0, by its power series.
    static func bessel0(_ x: Double) -> Double {
        var (term, sum, k) = (1.0, 1.0, 1.0)
        while term > sum * 1e-17 {
            term *= (x / 2) * (x / 2) / (k * k)
            sum += term
            k += 1
        }
        return sum
    }
}
