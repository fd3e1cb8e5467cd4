import CRealtime

/// How fast the IMU is carried by something larger than a hand: a vehicle.
///
/// Acceleration summed over about 5 s is a speed. Hands and heads reach speeds only with much acceleration to and fro,
/// vehicles with little; so a fifth of a second of the mean acceleration is taken off. On recordings of hands up to 2
/// m/s the rest stays below 1 m/s (99 %), on a bus it reaches 4 m/s in every turn.
struct RideLevel: Sendable {
    /// Above this an IMU is taken to ride, m/s.
    static let threshold = 1.5
    /// Summed horizontal acceleration, m/s.
    private(set) var speed = 0.0
    /// The largest level of the last half minute or so, m/s.
    private(set) var level = 0.0
    private var sum = SIMD2<Double>(0, 0)
    private var power = 0.0

    /// Whether the IMU rides.
    var isRiding: Bool { level >= Self.threshold }

    /// Takes the mean and mean square horizontal acceleration (m/s², world axes) of a span of seconds.
    mutating func take(mean: SIMD2<Double>, meanSquare: Double, span: Double) {
        sum = sum * prc_exp(-span / 5) + mean * span
        power += (1 - prc_exp(-span / 10)) * (meanSquare - power)
        speed = (sum.x * sum.x + sum.y * sum.y).squareRoot()
        level = max(level * prc_exp(-span / 30), speed - 0.2 * power.squareRoot())
    }

    /// Begins anew, but for the level.
    mutating func begin() { sum = .zero }
}
