import CRealtime
import Geometry

/// Two IMUs on one vehicle: the head's, and the one of the device or vehicle whose turns are subtracted from the
/// head's. Corrects the errors of both by the acceleration that both measure.
///
/// A single filter relies on the fact that the speeds of hands and heads do not last (`GyroscopeEstimator`). The speed
/// of a vehicle lasts, so the filter learns little in it. But both filters integrate the speed of the same vehicle. The
/// difference of the two speeds is therefore 0, apart from the motion of head and device in the vehicle. This shows the
/// angle between the worlds of the two filters (Weygers & Kok, "Drift-free inertial sensor motion tracking for
/// kinematic chains", IEEE Sensors Journal 20, 2020). Errors of bias, scale and alignment change this angle and the
/// tilts, so the speeds show these errors too.
///
/// The states of this Kalman filter are those of both estimators, 20 each, and the angle at the start of the ride (the
/// time in the vehicle). During the ride the covariances of the estimators are diagonal blocks of the filter's
/// covariance. This type stores the other blocks. Each estimator's own steps are applied to these blocks. Every
/// correction of the head's estimator is followed by the common measurement. The angle is unknown at first and is
/// estimated from the accelerations until it is known to 8°.
///
/// The filter acts only while both IMUs are in a vehicle (`InertialFilter.isRiding`). Its corrections remain after a
/// ride, and the next ride begins with its own angle. The sound stage is not recentred: its front stays where it was at
/// the start of the ride. O(order²) twenty times a second, about 10 µs.
package struct CommonRide: Sendable {
    private typealias Index = StateVector.Index
    private static let degree = Double.pi / 180
    /// Greatest rate at which the heading is corrected, rad/s.
    private static let speed = 0.5 * degree
    /// Correlation time of acceleration that is not the vehicle's, in addition to the half second over which the
    /// accelerations are averaged; seconds.
    private static let correlation = 0.4
    /// Assumed least difference of the two accelerometers, m/s² per axis.
    private static let least = 0.1

    /// Applied correction: rotation of the head's world relative to the device's, radians.
    package private(set) var correction = 0.0
    /// Variance of `correction`, rad²; `nil` outside a ride, and until `origin` is known.
    package private(set) var variance: Double?

    /// Angle between the two worlds at the start of the ride, radians. It excludes the estimators' heading errors since
    /// then. Nil until it is known.
    private var origin: Double?
    /// Difference of the two heading errors when `origin` became known, minus `correction` plus `made` at that time,
    /// radians.
    private var began = 0.0
    /// Covariance of the head's states (rows) with the device's (columns).
    private var between = StateMatrix()
    /// Covariances of the head's and of the device's states with the origin, and the variance of the origin.
    private var headOrigin = StateVector()
    private var deviceOrigin = StateVector()
    private var originVariance = 0.0
    /// Rotation of the sound stage by other corrections of drift since the start of the ride, radians.
    private var made = 0.0
    /// Difference of the two accelerations, integrated over a second, m/s.
    private var parting = SIMD2<Double>(0, 0)
    /// Mean square difference of the two accelerations over five seconds, (m/s²)².
    private var unlike = 0.0
    /// Sums until the origin is known: scalar products (`cosines`) and cross products (`sines`) of the accelerations of
    /// device and head, and products of their magnitudes (`weight`). `noise`: mean square difference of the two
    /// accelerations per axis over 5 s, (m/s²)².
    private var (cosines, sines, weight, noise) = (0.0, 0.0, 0.0, 0.5)
    private var last: Double?

    /// Creates a pair before its first ride.
    package init() {}

    /// Adds a rotation of the sound stage that another correction of drift made, radians, so that the same drift is not
    /// corrected twice.
    package mutating func turned(by radians: Double) {
        guard origin != nil || weight > 0 else { return }
        made += radians
    }

    /// Updates the corrections from both filters. Call it once per sample of the head.
    package mutating func follow(_ head: inout InertialFilter, _ device: inout InertialFilter) {
        guard let time = head.time else { return }
        defer { last = time }
        guard let last, time > last else { return }
        let step = min(0.1, time - last)
        let drift = origin == nil ? correction : target(head.estimator, device.estimator)
        correction += max(-Self.speed * step, min(Self.speed * step, drift - correction))
        guard head.isRiding, device.isRiding else {
            if weight > 0 || origin != nil { end(&head, &device) }
            return
        }
        guard origin != nil else { return seek(&head, &device, step: step) }
        let (isDue, isWhole) = (
            !head.estimator.events.isEmpty, head.estimator.isRecorded && device.estimator.isRecorded
        )
        guard isWhole else { return end(&head, &device) }
        guard isDue else { return }
        carry(&head.estimator, &device.estimator)
        measure(&head.estimator, &device.estimator)
    }

    /// Returns the rotation of the worlds, radians: the change since the ride began, plus the earlier correction and
    /// other corrections.
    private func target(_ head: GyroscopeEstimator, _ device: GyroscopeEstimator) -> Double {
        device.headingError - head.headingError - began + made
    }

    /// Ends a ride. The next ride begins with the present correction.
    private mutating func end(_ head: inout InertialFilter, _ device: inout InertialFilter) {
        head.estimator.stopRecording()
        device.estimator.stopRecording()
        let kept = (correction, last)
        self = CommonRide()
        (correction, last) = kept
    }

    // MARK: - Before the angle is known

    private mutating func seek(_ head: inout InertialFilter, _ device: inout InertialFilter, step: Double) {
        let (a, b) = (head.horizontalAcceleration, device.horizontalAcceleration)
        let angle = weight > 0 ? prc_atan2(sines, cosines) : 0
        let (c, s) = (prc_cos(angle), prc_sin(angle))
        let difference = a - SIMD3(c * b.x - s * b.y, s * b.x + c * b.y, 0)
        noise += min(1, step / 5) * (dot(difference, difference) / 2 - noise)
        cosines += step * (b.x * a.x + b.y * a.y)
        sines += step * (b.x * a.y - b.y * a.x)
        weight += step * (dot(a, a) * dot(b, b)).squareRoot()
        let spread = 2 * Self.correlation * (noise + Self.least * Self.least)
        guard weight > 50 * spread else { return }
        let (h, d) = (head.estimator.headingError, device.estimator.headingError)
        origin = prc_atan2(sines, cosines) - (d - h)
        began = d - h - correction + made
        // From here on the variance is that of this angle; the earlier variances of the headings are dropped.
        headOrigin = head.estimator.covariance.matrix[Index.heading]
        deviceOrigin = -1 * device.estimator.covariance.matrix[Index.heading]
        originVariance = spread / weight + headOrigin[Index.heading] - deviceOrigin[Index.heading]
        between = StateMatrix()
        head.estimator.startRecording()
        device.estimator.startRecording()
    }

    // MARK: - Both together

    /// Applies the estimators' own steps to the covariance blocks between them.
    private mutating func carry(_ head: inout GyroscopeEstimator, _ device: inout GyroscopeEstimator) {
        for event in head.takeEvents() {
            switch event {
            case .carried(let transition):
                between.carryRows(transition)
                headOrigin = transition(headOrigin)
            case .measured(let h, let gain):
                between.subtract(1, gain, h.combine(between))
                headOrigin -= h.dot(headOrigin) * gain
            }
        }
        for event in device.takeEvents() {
            switch event {
            case .carried(let transition):
                between.carryColumns(transition)
                deviceOrigin = transition(deviceOrigin)
            case .measured(let h, let gain):
                between.subtract(1, h.combineColumns(between), gain)
                deviceOrigin -= h.dot(deviceOrigin) * gain
            }
        }
    }

    /// Applies the common measurement: both speeds are the vehicle's speed, apart from the motion of head and device in
    /// it.
    private mutating func measure(_ head: inout GyroscopeEstimator, _ device: inout GyroscopeEstimator) {
        let span = head.lastSpan
        guard span > 0 else { return }
        let angle = theta(head, device)
        let (c, s) = (prc_cos(angle), prc_sin(angle))
        let gained = device.lastSpeedGain
        let pushed =
            head.lastSpeedGain - SIMD2(c * gained.x - s * gained.y, s * gained.x + c * gained.y)
            * (span / max(1e-3, device.lastSpan))
        parting = parting * prc_exp(-span) + pushed
        let carried = 1.5 * (parting.x * parting.x + parting.y * parting.y).squareRoot()
        let apart = (pushed.x * pushed.x + pushed.y * pushed.y) / (span * span)
        unlike += (1 - prc_exp(-span / 5)) * (apart - unlike)
        let options = head.options
        let density =
            2 * options.sway * options.sway + options.swayOfMotion * options.swayOfMotion * unlike + carried * carried
        let noise = density * max(head.misfit.ratio, device.misfit.ratio) / span
        for axis in 0..<2 {
            let angle = theta(head, device)
            let (c, s) = (prc_cos(angle), prc_sin(angle))
            let v = device.speedNow
            let turned = SIMD2(c * v.x - s * v.y, s * v.x + c * v.y)
            let slope = axis == 0 ? -turned.y : turned.x
            let row = axis == 0 ? SIMD3(c, -s, 0) : SIMD3(s, c, 0)
            correct(
                &head,
                MeasuredStates(first: Index.speed + axis, coefficients: SIMD3(1, 0, 0), count: 1, heading: slope),
                &device, MeasuredStates(first: Index.speed, coefficients: row * -1, count: 2, heading: -slope),
                origin: -slope, innovation: turned[axis] - head.speed[axis], noise: noise)
        }
        head.use()
        device.use()
        let h = head.covariance[Index.heading, Index.heading]
        let d = device.covariance[Index.heading, Index.heading]
        variance = max(0, h + d - 2 * between[Index.heading, Index.heading])
    }

    /// Returns the present angle between both worlds, radians.
    private func theta(_ head: GyroscopeEstimator, _ device: GyroscopeEstimator) -> Double {
        (origin ?? 0) + device.headingError - head.headingError
    }

    /// Applies one scalar measurement to both estimators and the origin.
    private mutating func correct(
        _ head: inout GyroscopeEstimator, _ h: MeasuredStates, _ device: inout GyroscopeEstimator, _ d: MeasuredStates,
        origin o: Double, innovation: Double, noise: Double
    ) {
        let headColumn = head.covariance.column(h) + d.combineColumns(between) + o * headOrigin
        let deviceColumn = device.covariance.column(d) + h.combine(between) + o * deviceOrigin
        let originColumn = h.dot(headOrigin) + d.dot(deviceOrigin) + o * originVariance
        let variance = noise + h.dot(headColumn) + d.dot(deviceColumn) + o * originColumn
        let gain = 1 / variance
        head.update(headColumn, innovation: innovation, variance: variance)
        device.update(deviceColumn, innovation: innovation, variance: variance)
        origin = (origin ?? 0) + gain * innovation * originColumn
        between.subtract(gain, headColumn, deviceColumn)
        headOrigin -= gain * originColumn * headColumn
        deviceOrigin -= gain * originColumn * deviceColumn
        originVariance -= gain * originColumn * originColumn
    }
}
