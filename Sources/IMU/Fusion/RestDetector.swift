import CRealtime

/// Detects whether a body is still: its rate and its specific force have stayed near their own short means for some
/// time (Laidig & Seel 2023, section 3.5). A steady turn counts as stillness; `VerticalGate` distinguishes it from
/// bias.
///
/// In a vehicle a body vibrates without moving: its rate and force stay near their means once vibration of 5 Hz and
/// more is smoothed out. Such a body is called steady. The smoothing delays the detection of a new motion, so the mean
/// rate of a steady body gives little weight to the last tenths of a second.
struct RestDetector: Sendable {
    /// Time constant of each of the two low-passes against vibration, seconds: gain 0.09 at 5 Hz, 0.006 at 20 Hz.
    private static let smoothing = 0.1
    /// Greatest deviation of a steady body's smoothed rate from its mean, as a multiple of `restRate`.
    private static let steadyShare = 0.5
    /// Greatest deviation of a steady body's rate, including vibration, as a multiple of `restRate`.
    private static let shakenShare = 5.0
    /// Seconds of steadiness before the body counts as steady, as a multiple of `restTime`.
    private static let steadyTime = 2.0

    /// Whether the body has been still for long enough.
    private(set) var isStill = false
    /// Whether the body has been steady for long enough: still apart from vibration.
    private(set) var isSteady = false
    /// Seconds for which the body has been still.
    private(set) var stillness = 0.0
    /// Whether the body has been still long enough to show the bias, though not necessarily long enough to be at rest.
    var isBrieflyStill: Bool { stillness > bounds.briefTime }
    /// Mean rate minus the common rate, which another IMU on the same vehicle also measures; rad/s, body axes. For a
    /// still body the mean over the last half second; for a steady body the mean over the half second before that.
    var meanRate: SIMD3<Double> { isStill ? rate.mean : rate.earlier }
    /// Mean rate of a still body over the last half second, or over the time of stillness if that is shorter; rad/s,
    /// body axes.
    private(set) var settled = SIMD3<Double>(0, 0, 0)
    /// Mean square of a still body's low-passed rate about `settled`, per axis, (rad/s)². It measures the sway at
    /// present or over the last seconds, whichever is larger.
    var sway: Double { max(scatter, remembered) }
    /// Time constant of the low-pass against quick noise in `sway`, seconds. After this low-pass, white noise has the
    /// variance that its integral gains in a second, divided by twice this time.
    static let swaySmoothing = 0.1
    /// Seconds over which the sway is averaged, and seconds of stillness after which it is measured.
    private static let (swayMemory, swayStart) = (5.0, 0.25)

    /// Mean square of the slow rate of a still body, per axis, (rad/s)².
    var slowSway: Double { slow.variance }
    private var slow = RestSway()
    private var rate = Means()
    private var force = Means()
    private var gentle = SIMD3<Double>(0, 0, 0)
    private var (scatter, remembered, swayTime) = (0.0, 0.0, 0.0)
    private var steadiness = 0.0
    private let bounds: Bounds

    /// Squares of the bounds, so that no roots are computed, and times in seconds.
    private struct Bounds: Sendable {
        let restRate: Double, restForce: Double, steadyRate: Double, shakenRate: Double
        let restTime: Double, steadyTime: Double, briefTime: Double

        init(_ options: InertialOptions) {
            func square(_ bound: Double) -> Double { bound * bound }
            (restRate, restForce) = (square(options.restRate), square(options.restForce))
            steadyRate = square(RestDetector.steadyShare * options.restRate)
            shakenRate = square(RestDetector.shakenShare * options.restRate)
            (restTime, steadyTime) = (options.restTime, RestDetector.steadyTime * options.restTime)
            briefTime = options.briefRestTime
        }
    }

    /// `mean`: mean of a signal over half a second. `earlier`: mean of `mean` over half a second. `smooth`: the signal
    /// without vibration.
    private struct Means: Sendable {
        var mean = SIMD3<Double>(0, 0, 0)
        var earlier = SIMD3<Double>(0, 0, 0)
        var smooth = SIMD3<Double>(0, 0, 0)
        private var once = SIMD3<Double>(0, 0, 0)

        init() {}

        init(_ value: SIMD3<Double>) { (mean, earlier, smooth, once) = (value, value, value, value) }

        mutating func take(_ value: SIMD3<Double>, weight: Double, smoothing: Double) {
            mean += weight * (value - mean)
            earlier += weight * (mean - earlier)
            once += smoothing * (value - once)
            smooth += smoothing * (once - smooth)
        }
    }

    init(_ options: InertialOptions) { bounds = Bounds(options) }

    /// Restarts with a first sample.
    mutating func begin(rate: SIMD3<Double>, force: SIMD3<Double>) {
        (self.rate, self.force) = (Means(rate), Means(force))
        (stillness, steadiness) = (0, 0)
        (isStill, isSteady) = (false, false)
    }

    /// Adds a sample. `weight`: weight of the newest value in means over half a second.
    mutating func take(rate value: SIMD3<Double>, force felt: SIMD3<Double>, step: Double, weight: Double) {
        let smoothing = min(1, step / Self.smoothing)
        rate.take(value, weight: weight, smoothing: smoothing)
        force.take(felt, weight: weight, smoothing: smoothing)
        let turn = square(value - rate.mean)
        let still = turn < bounds.restRate && square(felt - force.mean) < bounds.restForce
        stillness = still ? stillness + step : 0
        if still { settle(value, step: step, weight: weight) }
        isStill = stillness > bounds.restTime
        let steady =
            turn < bounds.shakenRate && square(rate.smooth - rate.earlier) < bounds.steadyRate
            && square(force.smooth - force.earlier) < bounds.restForce
        steadiness = steady ? steadiness + step : 0
        isSteady = steadiness > bounds.steadyTime
    }

    /// Updates the mean rate of a still body, and its sway.
    private mutating func settle(_ value: SIMD3<Double>, step: Double, weight: Double) {
        let share = min(1, step / stillness)
        settled += max(weight, share) * (value - settled)
        gentle += max(min(1, step / Self.swaySmoothing), share) * (value - gentle)
        scatter += max(weight, share) * (square(gentle - settled) / 3 - scatter)
        guard stillness > Self.swayStart else { return }
        slow.take(gentle, step: step)
        swayTime += step
        remembered += max(step / Self.swayMemory, min(1, step / swayTime)) * (scatter - remembered)
    }

    /// Returns the square of a vector's length.
    private func square(_ vector: SIMD3<Double>) -> Double { dot(vector, vector) }
}
