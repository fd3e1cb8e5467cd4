import CRealtime

/// Noise of a sensor, measured in use, as the random walk of its integral (a gyroscope's angle, an accelerometer's
/// speed).
///
/// Third differences of the samples contain hardly any motion, and 20 times the variance of white noise. Motion only
/// increases their mean square, so the least mean square over half a second within about a minute is used (minimum
/// statistics: Martin, IEEE Trans. Speech and Audio Processing 9, 2001).
struct NoiseFloor: Sendable {
    /// Variance that the integral gains in a second, per axis: rad²/s for a rate in rad/s, (m/s)²/s for a force in
    /// m/s².
    private(set) var walk = 0.0
    private var last = (SIMD3<Double>.zero, SIMD3<Double>.zero, SIMD3<Double>.zero)
    private var count = 0
    private var sum = 0.0
    private var span = 0.0
    private var least = Double.infinity

    /// Adds a sample, `step` seconds after the last. It takes some ns.
    @inline(__always)
    mutating func take(_ raw: SIMD3<Double>, step: Double) {
        let third = raw - last.2 + 3 * (last.1 - last.0)
        last = (raw, last.0, last.1)
        count += 1
        guard count > 3 else { return }
        // Weighted by the step, this gives the variance that white noise adds to the integral in a second.
        sum += dot(third, third) * step
        span += step
    }

    /// Evaluates the sums once they span half a second.
    mutating func look() {
        guard span >= 0.5, count > 3 + 8 else { return }
        let variance = sum / Double(count - 3) / 60
        least = min(variance, least * prc_exp(span / 60))
        walk = least
        (count, sum, span) = (3, 0, 0)
    }

    /// Restarts after a gap; the measured noise is kept.
    mutating func begin() { (count, sum, span) = (0, 0, 0) }
}
