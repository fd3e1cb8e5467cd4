import CRealtime

/// Whether a body is still: its rate and its specific force have stayed near their own short means for a while
/// (Laidig & Seel 2023, section 3.5). What it turns at steadily does not matter here: see `VerticalGate`.
struct RestDetector: Sendable {
    /// Mean rate over half a second, rad/s, body axes, less what was common.
    private(set) var meanRate = SIMD3<Double>(0, 0, 0)
    /// Whether the body has been still for long enough.
    private(set) var isStill = false
    private var meanForce = SIMD3<Double>(0, 0, 0)
    private var stillness = 0.0
    private let options: InertialOptions

    init(_ options: InertialOptions) { self.options = options }

    /// Begins anew.
    mutating func begin(rate: SIMD3<Double>, force: SIMD3<Double>) {
        meanRate = rate
        meanForce = force
        stillness = 0
        isStill = false
    }

    /// Takes a sample; `weight`: that of the newest in means over half a second.
    mutating func take(rate: SIMD3<Double>, force: SIMD3<Double>, step: Double, weight: Double) {
        meanRate += weight * (rate - meanRate)
        meanForce += weight * (force - meanForce)
        let (turn, push) = (rate - meanRate, force - meanForce)
        let still =
            dot(turn, turn) < options.restRate * options.restRate
            && dot(push, push) < options.restForce * options.restForce
        stillness = still ? stillness + step : 0
        isStill = stillness > options.restTime
    }
}
