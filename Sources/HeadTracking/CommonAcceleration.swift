import Glibc

/// What the vehicle's acceleration shows of the drift between two gyroscopes' headings.
///
/// A vehicle that brakes or turns gives both IMUs the same horizontal acceleration, which each sees in its own world:
/// the angle between both is that of the worlds, and how it changes is drift (Weygers & Kok, "Drift-free inertial
/// sensor motion tracking for kinematic chains", IEEE Sensors Journal 20, 2020; observability: Kok, Eckhoff, Weygers &
/// Seel, 2022). What hands and heads do besides is noise, and its level is taken from what both differ by. A Kalman
/// filter of two states: the drift since the ride began and the angle it began with, which is unknown. What it finds is
/// turned at `speed` at most, about the world's vertical.
///
/// Only while both IMUs ride (`InertialFilter.isRiding`); when a ride ends, what was corrected stays, and the next
/// begins with an angle of its own. Nothing is recentred: where the front was when the ride began is where it is kept.
/// O(1), 60 ns.
struct CommonAcceleration: Sendable {
    private static var degree: Double { .pi / 180 }
    /// rad/s by which the heading is corrected at most.
    private static var speed: Double { 0.5 * degree }
    /// Drift while nothing turns, 0.05°/√s; rad²/s.
    private static var wander: Double { 0.05 * 0.05 * degree * degree }
    /// And 2 % of what is turned in a second, at random: scale and alignment of gyroscopes.
    private static var scale: Double { 0.02 * 0.02 }
    /// Seconds for which an acceleration that is not the vehicle's lasts, beyond the half second of the mean.
    private static var correlation: Double { 0.4 }
    /// m/s² per axis that both accelerometers differ by in any case.
    private static var least: Double { 0.1 }

    /// Radians by which the head's world has turned against the device's, as far as it is made up for.
    private(set) var correction = 0.0
    /// The same as far as it is known, with `made`.
    private var drift = 0.0
    /// What the stage has been turned by against drift elsewhere since the ride began, radians.
    private var made = 0.0
    /// The head's world against the device's but for that; `nil` until enough is seen of it.
    private var origin: Double?
    /// Variances of drift and origin, and their covariance.
    private var (drifts, both, origins) = (0.0, 0.0, 0.0)
    /// Mean square of what both differ by, per axis, over 5 s, (m/s²)².
    private var noise = 0.5
    /// Before the origin is known: sums of device times head, and of magnitudes.
    private var (cosines, sines, weight) = (0.0, 0.0, 0.0)
    private var last: Double?

    /// The stage has been turned by so many radians against drift elsewhere (`YawPull.compensated`): it is not made up
    /// for twice.
    mutating func turned(by radians: Double) {
        guard weight > 0 else { return }
        drift += radians
        made += radians
    }

    /// Variance of the drift where it is known, rad²; `nil` where no vehicle's acceleration shows it.
    var variance: Double? { origin == nil ? nil : drifts }

    /// Takes horizontal accelerations (m/s², x and y of each IMU's world) and the sum of both squared angular rates
    /// (rad²/s²) of the same moment, seconds.
    mutating func take(
        head: SIMD3<Double>, device: SIMD3<Double>, squaredRates: Double, isRiding: Bool, at time: Double
    ) {
        defer { last = time }
        guard let last, time > last else { return }
        let step = min(0.1, time - last)
        correction += max(-Self.speed * step, min(Self.speed * step, drift - correction))
        guard isRiding else {
            if weight > 0 || origin != nil { begin() }
            return
        }
        drifts += step * (Self.wander + Self.scale * squaredRates)
        let turn = drift - made + (origin ?? (weight > 0 ? atan2(sines, cosines) : 0))
        let (c, s) = (cos(turn), sin(turn))
        // The device's acceleration as the head's world would show it.
        let expected = SIMD3(c * device.x - s * device.y, s * device.x + c * device.y, 0)
        let difference = head - expected
        noise += min(1, step / 5) * ((difference * difference).sum() / 2 - noise)
        // rad²·s times (m/s²)² by which a second of acceleration is uncertain.
        let spread = 2 * Self.correlation * (noise + Self.least * Self.least)
        let magnitude = ((head * head).sum() * (device * device).sum()).squareRoot()
        guard magnitude > 0 else { return }
        guard let origin else {
            let (x, y) = (
                device.x * head.x + device.y * head.y, device.x * head.y - device.y * head.x
            )
            let (cd, sd) = (cos(drift - made), sin(drift - made))
            cosines += step * (x * cd + y * sd)
            sines += step * (y * cd - x * sd)
            weight += step * magnitude
            // 8°.
            if weight > 50 * spread {
                self.origin = atan2(sines, cosines)
                (drifts, both, origins) = (0, 0, spread / weight)
            }
            return
        }
        let innovation = (expected.x * head.y - expected.y * head.x) / magnitude
        let variance = drifts + 2 * both + origins + spread / (magnitude * step)
        let (gain, gainOrigin) = ((drifts + both) / variance, (both + origins) / variance)
        let (row, rowOrigin) = (drifts + both, both + origins)
        drift += gain * innovation
        self.origin = origin + gainOrigin * innovation
        drifts -= gain * row
        both -= gain * rowOrigin
        origins -= gainOrigin * rowOrigin
    }

    /// A ride has ended: the next begins with what is corrected now.
    private mutating func begin() {
        (drift, made) = (correction, 0)
        origin = nil
        (drifts, both, origins) = (0, 0, 0)
        (noise, cosines, sines, weight) = (0.5, 0, 0, 0)
    }
}
