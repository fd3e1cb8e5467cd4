import CRealtime

/// Detects that a vehicle carries the IMU, by the IMU's speed.
///
/// Acceleration integrated over about 5 s is a speed. Hands and heads reach such speeds only with much acceleration in
/// alternating directions, vehicles with little. The evidence for a vehicle, `level`, is therefore this speed minus 0.2
/// s times the RMS acceleration. On recordings of hands that move at up to 2 m/s the level stays below 1 m/s (99 %); on
/// a bus it reaches 4 m/s in every turn.
struct RideLevel: Sendable {
    /// Least level that counts as a vehicle, m/s.
    static let threshold = 1.5
    /// Integrated horizontal acceleration, m/s.
    private(set) var speed = 0.0
    /// Largest level of about the last half minute, m/s.
    private(set) var level = 0.0
    private var sum = SIMD2<Double>(0, 0)
    private var power = 0.0

    /// Whether the IMU is probably in a vehicle.
    var isRiding: Bool { level >= Self.threshold }

    /// Adds the mean and mean square horizontal acceleration (m/s², world axes) of a span of seconds.
    mutating func take(mean: SIMD2<Double>, meanSquare: Double, span: Double) {
        sum = sum * prc_exp(-span / 5) + mean * span
        power += (1 - prc_exp(-span / 10)) * (meanSquare - power)
        speed = (sum.x * sum.x + sum.y * sum.y).squareRoot()
        level = max(level * prc_exp(-span / 30), speed - 0.2 * power.squareRoot())
    }

    /// Restarts the integral; the level is kept.
    mutating func begin() { sum = .zero }
}
