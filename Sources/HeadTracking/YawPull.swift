/// Keeps the front of the sound stage in front of the listener, because two gyroscopes have no common north and drift
/// apart.
///
/// A Kalman filter of two states, the error of the yaw and its drift (e.g. Bar-Shalom, Li & Kirubarajan, "Estimation
/// with Applications to Tracking and Navigation", §5.2), does three things.
///
/// - *Late corrections.* While a bias is uncertain the yaw drifts at an unknown but constant rate. A rest that shows
///   the bias also shows the angle of the drift so far, and the stage is turned back by this angle, at 5°/s at most.
/// - *Pull.* While the head is slow and near the front, the stage is turned at `yawPull`, too slowly to be noticed, so
///   that its front approaches the direction of the head. Whenever the known error exceeds half a degree, the stage is
///   turned against the error at the same rate.
/// - *Learnt drift.* Heads face the front on average. A yaw that keeps moving to one side is drift, and is compensated.
///   It is learnt at rest and during sway, but not during turns. The variance of the drift is that of the gyroscopes'
///   biases, from their filters. Fused orientations are only pulled; those of a single tracker only if `yawPull` is
///   above its default.
///
/// Pull and learnt drift require neither rest nor common motion of head and device. O(1), 50 ns.
struct YawPull: Sendable {
    private static var degree: Double { .pi / 180 }
    /// Gaze: the head looks 3° off the front (σ, one standard deviation) for 0.45 s (τ) at a time. This equals white
    /// noise of the density 2·σ²·τ, rad²·s.
    private static var gaze: Double { 2 * 3 * 3 * 0.45 * degree * degree }
    /// Rate above which a head counts as turning, not as looking at something, rad/s: 20°/s. A limit near the rates of
    /// sway would keep only the ends of the sway, which are farther from the front than its mean.
    private static var turningHead: Double { 20 * degree }
    /// Least variance of the biases, (rad/s)²: the square of 0.03°/s, because of sway during rests.
    private static var leastVariance: Double { 0.03 * 0.03 * degree * degree }
    /// Density of other errors of the yaw (noise, scale of the gyroscopes), rad²/s: the square of 0.05°/√s.
    private static var wander: Double { 0.05 * 0.05 * degree * degree }
    /// Greatest innovation that a look to the side may cause, radians.
    private static var farthest: Double { 6 * degree }
    /// Least known error that is pulled back at any yaw and speed, radians: 0.5°.
    private static var amiss: Double { 0.5 * degree }
    /// Greatest rate of the late corrections, rad/s.
    private static var turning: Double { 5 * degree }

    /// Compensated drift of the yaw, rad/s.
    private(set) var drift = 0.0
    /// Turn of the stage by drift and late correction in the last step, without the pull, radians.
    private(set) var compensated = 0.0
    /// Known error of the yaw that remains after the late corrections, radians.
    private var error = 0.0
    /// Late corrections still to be applied, radians.
    private var owed = 0.0
    /// Variance of the error (`errors`, rad²), covariance of error and drift (`both`), and variance of the drift
    /// (`drifts`, (rad/s)²; −1 before the first step).
    private var (errors, both, drifts) = (0.0, 0.0, -1.0)
    private var last: Double?
    /// Whether the acceleration of a vehicle has corrected the yaw since the last step.
    private var isHeld = false

    /// Applies a filter's revision of a bias. The remaining drift changes by −`change` (rad/s, about the vertical).
    /// `before` and `after`: variance of all biases together before and after the revision, (rad/s)².
    mutating func revise(change: Double, before: Double, after: Double) {
        guard drifts >= 0, before > 0 else { return }
        guard after < before else {
            // The filter found an error that its variance did not contain, so the variance of the drift increases.
            drifts = max(drifts, after)
            return
        }
        // Gain and noise of the measurement by which the gyroscope's filter revised the bias. Here the same measurement
        // is applied with the variances of the yaw pull.
        let gain = 1 - after / before
        let noise = before * after / (before - after)
        let innovation = change / gain - drift
        let (gainError, gainDrift) = (both / (drifts + noise), drifts / (drifts + noise))
        owed += gainError * innovation
        drift += gainDrift * innovation - change
        errors -= gainError * both
        both -= gainDrift * both
        drifts -= gainDrift * drifts
    }

    /// Clears the known error of the yaw after a recentring, because the error concerned the former front. The drift is
    /// kept.
    mutating func recentred() { (error, owed, errors, both) = (0, 0, 0, 0) }

    /// Limits the variance of the yaw, rad², because the acceleration of a vehicle has corrected the yaw, and with it
    /// the effect of the past bias. The next step does not learn a drift from the yaw, because such a drift would not
    /// come from the gyroscopes.
    mutating func hold(to variance: Double) {
        isHeld = true
        guard errors > variance else { return }
        let left = variance / errors
        drifts -= both * both / errors * (1 - left)
        both *= left
        errors = variance
    }

    /// Returns the rotation of the stage about the vertical for this step, radians. `yaw`: radians. `speed`: speed of
    /// the head, rad/s. `variance`: variance of all biases together, (rad/s)². `isDriftSeen`: whether the streams from
    /// which the yaw is computed are fresh and can drift.
    mutating func step(
        yaw: Double, speed: Double, variance: Double, at now: Double, isDriftSeen: Bool, _ options: HeadTrackerOptions
    ) -> Double {
        defer { (last, isHeld) = (now, false) }
        compensated = 0
        guard isDriftSeen, let last else { return 0 }
        let step = min(0.1, max(0, now - last))
        let believed = variance > 0 ? max(variance, Self.leastVariance) : 0
        drifts = drifts < 0 ? believed : max(min(drifts, believed), min(believed, Self.leastVariance))
        errors += step * (2 * both + step * drifts + Self.wander)
        both += step * drifts
        let late = max(-Self.turning * step, min(Self.turning * step, owed))
        owed -= late
        let turn = -drift * step - late
        compensated = turn
        guard options.choices.yawPull > 0 else { return turn }
        let isInFront = abs(yaw) < options.yawPullRange * Self.degree
        let isNear = isInFront && speed < options.yawPullSpeed * Self.degree
        if isInFront, speed < Self.turningHead { learn(yaw, over: step) }
        let amiss = abs(error) > Self.amiss ? error : isNear ? yaw : 0
        let most = options.choices.yawPull * Self.degree * step
        let pulled = max(-most, min(most, amiss))
        // A pull of more than the known error leaves no error.
        if error * pulled > 0 { error = abs(pulled) < abs(error) ? error - pulled : 0 }
        return turn - pulled
    }

    /// Uses the yaw of a head that looks near the front as a measurement of the error.
    private mutating func learn(_ yaw: Double, over step: Double) {
        let innovation = max(-Self.farthest, min(Self.farthest, yaw - owed - error))
        let spread = errors + Self.gaze / max(step, 1e-4)
        let (gainError, gainDrift) = (errors / spread, isHeld ? 0 : both / spread)
        error += gainError * innovation
        drift += gainDrift * innovation
        drifts -= gainDrift * both
        both -= gainError * both
        errors -= gainError * errors
    }
}
