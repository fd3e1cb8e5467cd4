import CRealtime
import Geometry

/// Orientation of one IMU relative to the earth. The inclination comes from gyroscope and accelerometer. The heading
/// comes from the gyroscope. With `InertialOptions.usesField` it slowly follows the magnetometer.
///
/// Causal, for uneven sample times, 50 to 1000 Hz. A value type for one thread at a time; no allocation per sample. Its
/// structure follows Laidig & Seel, "VQF: Highly accurate IMU orientation estimation with bias estimation and magnetic
/// disturbance rejection", Information Fusion 91 (2023). In addition, sample times are arbitrary, scale and
/// misalignment of the gyroscope are estimated (`GyroscopeEstimator`), and slow turns of a vehicle do not count as bias
/// (`VerticalGate`).
package struct InertialFilter: Sendable {
    /// Options of the filter.
    package let options: InertialOptions
    /// Body to world, z up. The heading is 0 at the first sample; with the magnetometer x points east and y north.
    package private(set) var bodyToWorld: Quaternion = .identity
    /// Angular rate after correction of bias and scale, body axes, rad/s.
    package private(set) var rate = SIMD3<Double>(0, 0, 0)
    /// Whether the body is at rest: still for 1.5 s by default, or for 3 s under vibration, and turning by at most
    /// 2°/s.
    package private(set) var isAtRest = false
    /// Time of the last sample, seconds; `nil` before the first.
    package private(set) var time: Double?
    /// Rate about the world's vertical after correction of the bias, mean over about half a second, rad/s. It is the
    /// `commonVerticalRate` for the filter of another IMU on the same vehicle.
    package private(set) var verticalRate = 0.0
    /// Acceleration, x and y (z is 0), in the world before its rotation to the north, mean over about half a second,
    /// m/s².
    package private(set) var horizontalAcceleration = SIMD3<Double>(0, 0, 0)

    /// Gap in the samples since the last `acceptGap`. The heading may be wrong after a gap. Nil without a gap, and with
    /// the magnetometer.
    package private(set) var gap: Gap?

    /// Time without samples, and the angle by which the body may have turned in this time.
    package struct Gap: Hashable, Sendable {
        /// Seconds without samples; the sum of several gaps.
        package var seconds: Double
        /// Uncertainty that the gaps add to the heading, radians (one standard deviation).
        package var deviation: Double

        /// Creates a gap.
        package init(seconds: Double, deviation: Double) { (self.seconds, self.deviation) = (seconds, deviation) }
    }

    private var strapdown = Strapdown()
    private var inclination: InclinationCorrection
    var estimator: GyroscopeEstimator
    private var rest: RestDetector
    private var gate: VerticalGate
    private var magnetic: MagneticCorrection
    private var north = VerticalTurn()
    /// Variance of the heading from gaps and from turns above the gyroscope's range, rad².
    private var gapVariance = 0.0
    /// Mean square of the rate about the vertical over about two seconds, (rad/s)².
    private var turning = 0.0
    /// Whether the body was at rest, or briefly at rest, at the last correction.
    private var showedBias = false
    /// Weight of a new value in means over half a second.
    private var meanWeight = StepDependent(0.0)

    /// Estimate of the gyroscope's bias. It can be stored per tracker and used as `prior` next time.
    package var bias: GyroscopeBias { estimator.knowledge }

    /// Estimated scale and misalignment: rows x, y, z of S in true rate = raw + S · raw − bias.
    package var scaleError: [SIMD3<Double>] {
        [estimator.used.matrix.x, estimator.used.matrix.y, estimator.used.matrix.z]
    }

    /// Drift of the heading caused by the uncertainty of the bias, degrees per minute (one standard deviation).
    package var headingDrift: Double {
        let up = bodyToWorld.conjugate.rotate(SIMD3(0, 0, 1))
        return estimator.covariance.biasVariance(along: up).squareRoot() * 180 / .pi * 60
    }

    /// Uncertainty of the heading, radians (one standard deviation). It contains the uncertainty from the gyroscope's
    /// bias, scale and alignment, from motion that does not fit the model, from turns that may have been bias, and from
    /// gaps. Above `unknownHeading` any heading is possible. The value is not limited, because the uncertainty since
    /// the user recentred is computed from its growth. Without the magnetometer the value grows from 0 at the first
    /// sample. With it, the value is the uncertainty of the field's heading.
    package var headingDeviation: Double {
        guard options.usesField else {
            return (estimator.headingVariance + gate.doubt + gapVariance).squareRoot()
        }
        return magnetic.deviation
    }

    /// Standard deviation of a uniformly distributed heading, radians.
    package static let unknownHeading = Double.pi / 3.0.squareRoot()

    /// Clears the gap, after the user has recentred.
    package mutating func acceptGap() { gap = nil }

    /// Ratio of the measured variance of the innovations to the predicted variance, at least 1; see `Misfit`.
    package var misfit: Double { estimator.misfit.ratio }

    /// Whether the IMU is probably in a vehicle. Its estimates then change slowly.
    package var isRiding: Bool { estimator.ride.isRiding }

    /// Creates a filter without samples.
    ///
    /// `prior`: a stored bias, with a deviation that includes its age. The prior is only the initial value: the first
    /// rest that contradicts the prior replaces it within seconds. Nil means 0 with a deviation of 0.5°/s.
    package init(options: InertialOptions = InertialOptions(), prior: GyroscopeBias? = nil) {
        self.options = options
        let unknown = GyroscopeBias(value: SIMD3(0, 0, 0), deviation: SIMD3(repeating: 0.5 * .pi / 180))
        inclination = InclinationCorrection(time: options.inclinationTime)
        estimator = GyroscopeEstimator(options, prior: prior ?? unknown)
        rest = RestDetector(options)
        gate = VerticalGate(limit: options.largestBias)
        magnetic = MagneticCorrection(options)
    }

    /// Filters the next sample. `time`: seconds, rising. A sample that is not later than the last, or that is
    /// implausible (`MotionRanges`), is ignored. `commonVerticalRate`: the `verticalRate` of another IMU on the same
    /// vehicle, rad/s; `nil` if there is none. A turn that both IMUs measure does not count as bias. Takes about 0.2
    /// µs.
    package mutating func take(_ sample: InertialSample, at time: Double, commonVerticalRate: Double? = nil) {
        guard abs(time) <= MotionRanges.greatestTime, sample.fault(greatestField: .greatestFiniteMagnitude) == nil
        else {
            return
        }
        guard let last = self.time else {
            begin(sample, at: time)
            return
        }
        let step = time - last
        guard step > 0 else { return }
        self.time = time
        guard step <= options.longestGap else {
            resume(sample, after: step)
            return
        }
        rate = estimator.used.rate(sample.rate)
        strapdown.turn(rate, for: step)
        if let clipping = sample.clipping { clip(clipping) }
        let turned = Matrix3(strapdown.orientation)
        let force = turned * sample.force
        inclination.follow(force, for: step)
        let leveled = inclination.correction * strapdown.orientation
        let world = Matrix3(leveled)
        let push = world * sample.force - SIMD3(0, 0, GyroscopeEstimator.gravity)
        estimator.add(turned, raw: sample.rate, force: force, push: push, step: step)
        let up = world.z
        let meanWeight = meanWeight.at(step) { 1 - prc_exp(-$0 / 0.5) }
        let upward = dot(up, rate)
        turning += 0.25 * meanWeight * (upward * upward - turning)
        verticalRate += meanWeight * (upward - verticalRate)
        horizontalAcceleration += meanWeight * (SIMD3(push.x, push.y, 0) - horizontalAcceleration)
        let common = shared(commonVerticalRate)
        rest.take(rate: sample.rate - up * common, force: sample.force, step: step, weight: meanWeight)
        if !rest.isStill, !rest.isSteady { isAtRest = false }
        if estimator.span >= GyroscopeEstimator.interval - 1e-9 {
            let span = estimator.span
            estimator.correct()
            isAtRest = correctBias(span, up: up, common: common, isAlone: commonVerticalRate == nil)
            if options.usesField {
                magnetic.expect(rateDeviation: estimator.covariance.biasVariance(along: up).squareRoot())
                magnetic.drift(to: estimator.headingVariance + gapVariance)
            }
        }
        turnNorth(leveled, world, sample, step: step)
    }

    /// Corrects the bias if the body was at rest over the last `span` seconds. If `briefRestTime` is below `restTime`,
    /// the brief rest of a single IMU also counts. Returns whether the body is at rest.
    private mutating func correctBias(_ span: Double, up: SIMD3<Double>, common: Double, isAlone: Bool) -> Bool {
        let isResting = rest.isStill || (rest.isSteady && estimator.mayBeBias(rest.meanRate))
        let isMeasured = isAlone && options.briefRestTime < options.restTime && rest.isBrieflyStill
        let showsBias = isResting || isMeasured
        gate.pass(span, up: up, isStill: showsBias)
        // The first correction by a brief rest has the weight of the whole rest so far.
        let time = isMeasured && !isResting && !showedBias ? max(span, rest.stillness) : span
        showedBias = showsBias
        guard showsBias else { return false }
        let isUnmoved = estimator.rest(
            raw: isMeasured ? rest.settled : rest.meanRate, up: up, common: common, span: time,
            restVariance: isMeasured ? stillVariance : Self.steadyVariance, sway: isMeasured ? slowSway : 0, gate: &gate
        )
        return isResting && isUnmoved
    }

    /// Variance of the mean rate, over one second, of a body at rest that may sway or vibrate, (rad/s)²·s: the square
    /// of 0.1°/s·√s.
    private static let steadyVariance = 0.1 * Double.pi / 180 * (0.1 * Double.pi / 180)

    /// Variance of the mean rate, over one second, of a still body, (rad/s)²·s: the assumed `restNoise` and `restSway`,
    /// plus the measured noise of the gyroscope and the measured sway. A body that keeps its place sways about one
    /// angle, so the error of its mean rate falls with time; the error of white noise falls with the square root of
    /// time.
    private var stillVariance: Double {
        let quick = max(0, rest.sway - smoothedNoise)
        let angle = options.restSway * options.restSway + options.restSwayTime * options.restSwayTime * quick
        return options.restNoise * options.restNoise + estimator.turnNoise.walk + angle / max(rest.stillness, 0.1)
    }

    /// Variance of a still body's rate caused by slow sway, (rad/s)².
    private var slowSway: Double { max(0, rest.slowSway - smoothedNoise) }

    /// Variance of the gyroscope's noise after the low-pass of `RestDetector`, (rad/s)².
    private var smoothedNoise: Double { estimator.turnNoise.walk / (2 * RestDetector.swaySmoothing) }

    private mutating func begin(_ sample: InertialSample, at time: Double) {
        self.time = time
        rate = estimator.used.rate(sample.rate)
        strapdown.begin(force: sample.force, rate: rate)
        inclination.begin(strapdown.orientation.rotate(sample.force))
        rest.begin(rate: sample.rate, force: sample.force)
        turnNorth(sample)
    }

    /// Continues after a gap. The heading is kept and its uncertainty grows; the inclination is measured anew from the
    /// force.
    private mutating func resume(_ sample: InertialSample, after gap: Double) {
        estimator.wander(for: gap)
        estimator.begin()
        rate = estimator.used.rate(sample.rate)
        strapdown.resume(rate: rate)
        inclination.begin(strapdown.orientation.rotate(sample.force))
        estimator.leveling = inclination.correction
        loseHeading(for: gap, rateAfter: dot(Matrix3(inclination.correction * strapdown.orientation).z, rate))
        rest.begin(rate: sample.rate, force: sample.force)
        isAtRest = false
        verticalRate = 0
        horizontalAcceleration = .zero
        turnNorth(sample)
    }

    /// Adds the estimate of a rotation above the gyroscope's range, and its uncertainty. The estimator does not learn
    /// from such rates.
    private mutating func clip(_ clipping: Clipping) {
        estimator.begin()
        guard case .ended(let lost, let errors) = clipping else { return }
        strapdown.add(lost)
        // The errors of the axes are independent: the squares of their parts about the vertical add up.
        let upward = errors * Matrix3(inclination.correction * strapdown.orientation).z
        gapVariance += min(Self.unknownHeading * Self.unknownHeading, dot(upward, upward))
        if options.usesField { magnetic.drift(to: estimator.headingVariance + gapVariance) }
    }

    /// Increases the heading's variance by the square of the angle that the body may have turned about the vertical in
    /// a gap. The assumed rate is the largest of the rates before and after the gap and the root mean square of the
    /// last seconds.
    private mutating func loseHeading(for seconds: Double, rateAfter: Double) {
        let rate = max(abs(verticalRate), abs(rateAfter), turning.squareRoot())
        let turn = min(Self.unknownHeading, rate * seconds)
        gapVariance += turn * turn
        // With the magnetometer no gap is reported: the field shows the heading again, and the deviation of the field's
        // heading includes the gap.
        if options.usesField { return magnetic.drift(to: estimator.headingVariance + gapVariance) }
        let before = gap ?? Gap(seconds: 0, deviation: 0)
        gap = Gap(
            seconds: before.seconds + seconds,
            deviation: min(Self.unknownHeading, (before.deviation * before.deviation + turn * turn).squareRoot()))
    }

    /// Returns the common turn of this IMU and another, rad/s: the smaller of the two rates if both have the same sign
    /// and the smaller is at least 0.3°/s, otherwise 0. A smaller rate may be the other IMU's bias; a turn of one IMU
    /// alone is not the vehicle's.
    private func shared(_ other: Double?) -> Double {
        guard let other, other.isFinite, other * verticalRate > 0 else { return 0 }
        let amount = min(abs(other), abs(verticalRate))
        guard amount >= 0.3 * .pi / 180 else { return 0 }
        return other < 0 ? -amount : amount
    }

    /// Rotates the orientation of a first sample, or of the first one after a gap, to the north.
    private mutating func turnNorth(_ sample: InertialSample) {
        let leveled = inclination.correction * strapdown.orientation
        turnNorth(leveled, Matrix3(leveled), sample, step: 0)
    }

    /// Rotates an orientation of correct inclination to the north. `world`: the same orientation as a matrix.
    private mutating func turnNorth(
        _ leveled: Quaternion, _ world: Matrix3, _ sample: InertialSample, step: Double
    ) {
        guard options.usesField else {
            bodyToWorld = leveled
            return
        }
        if let field = sample.field, field.sum().isFinite {
            magnetic.take(
                world * field, toWorld: world, turnRate: dot(rate, rate).squareRoot(), isAtRest: isAtRest,
                step: step)
        }
        bodyToWorld = north.turning(leveled, by: magnetic.offset)
    }
}
