/// Keeps the front in front: two gyroscopes have no common north, and drift apart.
///
/// A Kalman filter of two states, error of the yaw and its drift (e.g. Bar-Shalom, Li & Kirubarajan, "Estimation with
/// Applications to Tracking and Navigation", §5.2), does three things.
///
/// - *Late knowledge.* While a bias is uncertain the yaw drifts by an unknown, but the same, rate. When rest shows what
///   the bias is, it also shows how far the yaw has drifted: the stage is turned back, at 5°/s at most.
/// - *Pull.* While the head is slow and near the front, the stage is turned after it by `yawPull`, too slowly to be
///   noticed; and whenever more than half a degree is known to be amiss, by as much against that.
/// - *Learnt drift.* Heads look to the front on average: a yaw that runs away to one side, rest or no rest, is drift,
///   and is made up for; sway counts, turns do not. Trust in drift is what the gyroscopes' filters say of their
///   biases; fused orientations are only pulled.
///
/// Neither asks whether anything is still, nor whether motions are alike. O(1), 50 ns.
struct YawPull: Sendable {
    private static var degree: Double { .pi / 180 }
    /// Where heads look: 3° off the front (one standard deviation) for 0.45 s at a time; as white noise 2·σ²·τ, rad²·s.
    private static var gaze: Double { 2 * 3 * 3 * 0.45 * degree * degree }
    /// A faster head turns from place to place and looks at none, rad/s: 20°/s. A bound near to a head's sway would
    /// keep only its ends, which are farther off than its mean.
    private static var turningHead: Double { 20 * degree }
    /// What filters say of their biases is not believed better than this, (rad/s)²: 0.03°/s, for sway during rests.
    private static var leastVariance: Double { 0.03 * 0.03 * degree * degree }
    /// Yaw that goes astray otherwise (noise, scale of the gyroscopes): 0.05°/√s.
    private static var wander: Double { 0.05 * 0.05 * degree * degree }
    /// A look to the side says no more than this about drift, radians.
    private static var farthest: Double { 6 * degree }
    /// Known errors from here on are pulled back at any time: 0.5°.
    private static var amiss: Double { 0.5 * degree }
    /// rad/s by which late knowledge turns the stage at most.
    private static var turning: Double { 5 * degree }

    /// Drift of the yaw that is made up for, rad/s.
    private(set) var drift = 0.0
    /// What the last step made up for of drift and by late knowledge, without the pull, radians.
    private(set) var compensated = 0.0
    /// Error of the yaw as far as it is known, once what is owed has been turned.
    private var error = 0.0
    /// What late knowledge is still to turn the stage by, radians.
    private var owed = 0.0
    /// Variances of error and drift, and their covariance.
    private var (errors, both, drifts) = (0.0, 0.0, -1.0)
    private var last: Double?
    /// Something else keeps the yaw since the last step.
    private var isHeld = false

    /// A filter has revised a bias: what is left of the drift changes by minus `change` (rad/s, about the vertical);
    /// the variance of all biases together was `before` and is `after`.
    mutating func revise(change: Double, before: Double, after: Double) {
        guard drifts >= 0, before > 0 else { return }
        guard after < before else {
            // The filter holds that it was wrong in a way its variance did not tell.
            drifts = max(drifts, after)
            return
        }
        // The measurement behind it, and its noise; this filter takes it with its own variance.
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

    /// Something else keeps the yaw to this variance, rad²: what a bias turned before has been made up for already.
    /// What the looks to the front then show of the drift is not the gyroscopes', and is not learnt.
    mutating func hold(to variance: Double) {
        isHeld = true
        guard errors > variance else { return }
        let left = variance / errors
        drifts -= both * both / errors * (1 - left)
        both *= left
        errors = variance
    }

    /// Radians about the vertical by which the stage is to be turned now. `yaw` in radians, `speed` of the head in
    /// rad/s; `variance` of the biases together, (rad/s)²; `isDriftSeen`: the yaw is that of streams that come, and
    /// that drift.
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
        guard options.yawPull > 0 else { return turn }
        let isInFront = abs(yaw) < options.yawPullRange * Self.degree
        let isNear = isInFront && speed < options.yawPullSpeed * Self.degree
        if isInFront, speed < Self.turningHead { learn(yaw, over: step) }
        let amiss = abs(error) > Self.amiss ? error : isNear ? yaw : 0
        let most = options.yawPull * Self.degree * step
        let pulled = max(-most, min(most, amiss))
        // What is pulled without being known to be amiss is no error afterwards.
        if error * pulled > 0 { error = abs(pulled) < abs(error) ? error - pulled : 0 }
        return turn - pulled
    }

    /// Takes the yaw of a head that looks near the front for the error.
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
