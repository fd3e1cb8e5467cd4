import CRealtime

/// How noisy a sensor is, measured while it is in use: what its integral (a gyroscope's angle, an accelerometer's
/// speed) walks by at random.
///
/// Third differences of its samples hardly contain motion, and 20 times the variance of white noise; the least mean
/// square of half a second in the last minute is taken (minimum statistics: Martin, IEEE Trans. Speech and Audio
/// Processing 9, 2001), so that motion, which adds to it, does not count.
struct NoiseFloor: Sendable {
    /// Variance that the integral gains in a second, per axis: rad²/s of rad/s, (m/s)²/s of m/s².
    private(set) var walk = 0.0
    private var last = (SIMD3<Double>.zero, SIMD3<Double>.zero, SIMD3<Double>.zero)
    private var count = 0
    private var sum = 0.0
    private var span = 0.0
    private var least = Double.infinity

    /// Takes a sample, `step` seconds after the last. A few ns.
    @inline(__always)
    mutating func take(_ raw: SIMD3<Double>, step: Double) {
        let third = raw - last.2 + 3 * (last.1 - last.0)
        last = (raw, last.0, last.1)
        count += 1
        guard count > 3 else { return }
        // Per axis, and times the step: what white noise adds to the integral in a second.
        sum += dot(third, third) * step
        span += step
    }

    /// Looks at what has come once half a second is full.
    mutating func look() {
        guard span >= 0.5, count > 3 + 8 else { return }
        let variance = sum / Double(count - 3) / 60
        least = min(variance, least * prc_exp(span / 60))
        walk = least
        (count, sum, span) = (3, 0, 0)
    }

    /// Begins anew after a gap; what is known is kept.
    mutating func begin() { (count, sum, span) = (0, 0, 0) }
}
