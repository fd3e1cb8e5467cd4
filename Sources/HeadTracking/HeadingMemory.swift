import Geometry
import Glibc
import IMU

/// Corrects a heading for a bias that becomes known only after it has drifted by it.
///
/// While the gyroscope's bias is uncertain the heading drifts by an unknown, but the *same*, rate: their errors are
/// correlated. When rest shows what the bias is, it also shows how far the heading has drifted. This is the part of a
/// Kalman filter for heading and bias (e.g. Bar-Shalom, Li & Kirubarajan, "Estimation with Applications to Tracking and
/// Navigation", §5.2.3) that a filter with the bias alone leaves out: with P the variances of the bias and c their
/// covariance with the heading, c falls by P·up·dt, a change Δb of the bias turns the heading by c·P⁻¹·Δb, and what shrinks
/// P shrinks c with it.
struct HeadingMemory: Sendable {
    /// Seconds after which an old drift is no longer laid to the present bias, which wanders too.
    private static var memory: Double { 120 }
    /// Seconds of rest after which what came before is settled: the gain of an estimator at rest is not seen from outside.
    private static var settling: Double { 1.5 }
    /// rad/s by which the heading is turned at most, so that nothing jumps: 5°/s.
    private static var turning: Double { 5 * .pi / 180 }

    /// Radians about the vertical by which the filter's heading is to be turned.
    private(set) var heading = 0.0
    /// What it is to become.
    private var goal = 0.0
    /// Covariance of heading and bias, rad²/s, body axes.
    private var covariance = SIMD3<Double>(0, 0, 0)

    /// Takes one step of the filter: `up` is the vertical in body axes, `step` in seconds.
    mutating func take(
        up: SIMD3<Double>, step: Double, before: GyroscopeBias, after: GyroscopeBias, isAtRest: Bool
    ) {
        let old = before.deviation * before.deviation
        let new = after.deviation * after.deviation
        covariance -= up * old * step
        covariance *= exp(-step / (isAtRest ? Self.settling : Self.memory))
        for axis in 0..<3 where old[axis] > 0 {
            goal += covariance[axis] / old[axis] * (after.value[axis] - before.value[axis])
            covariance[axis] *= min(1, new[axis] / old[axis])
        }
        let most = Self.turning * step
        heading += max(-most, min(most, goal - heading))
    }
}
