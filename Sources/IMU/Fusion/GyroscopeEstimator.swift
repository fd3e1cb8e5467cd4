import CRealtime
import Geometry

/// Estimates bias, scale and misalignment of a gyroscope from gravity and from rest, and the uncertainty of the
/// heading. It is a Kalman filter of 20 states, corrected twenty times a second at any sample rate.
///
/// An error of the gyroscope tilts the frame that should stay fixed. In the tilted frame gravity looks like a steady
/// acceleration, and its integral like a speed, but hands and heads have no lasting speed. So the only measurement is a
/// speed of 0, with a noise that grows with the motion (`speedNoise`). The states are the bias (3), the error matrix
/// (9), the tilt of the frame (2), the horizontal speed (2), the error of the heading (1) and the accelerometer's bias
/// (3).
///
/// In this model acceleration averages out over seconds; in a model with white noise of acceleration it would not.
/// Turns about a horizontal axis show the scale and alignment that determine the heading after turns about the
/// vertical.
///
/// Two rules limit wrong estimates. Measurements that fit worse than the covariance (`Misfit`) have less weight. And
/// only the part of the estimated errors that evidence supports is used (`use`): nothing before any evidence,
/// everything once the variances are much smaller than at the start.
///
/// The speed of a vehicle lasts. While `RideLevel` detects a vehicle, the measurement has little weight.
struct GyroscopeEstimator: Sendable {
    typealias Index = StateVector.Index
    /// Seconds between corrections.
    static let interval = 0.05
    static let gravity = 9.81
    /// Greatest number of events between two calls of `takeEvents`.
    private static let mostEvents = 128

    /// Best estimate of the gyroscope's errors.
    private(set) var learnt: GyroscopeError
    /// The part of the estimate in use: see `use`.
    var used: GyroscopeError
    /// Bias of the accelerometer, body axes, m/s².
    private var forceBias = SIMD3<Double>(0, 0, 0)
    /// Horizontal speed in the estimator's own level frame, m/s.
    private(set) var speed = SIMD2<Double>(0, 0)
    /// Known error of the heading: the true heading minus the strapdown's, radians.
    private(set) var headingError = 0.0
    /// Rotation from the strapdown's frame to this estimator's level frame.
    var leveling: Quaternion = .identity
    var covariance = StateCovariance()
    private(set) var ride = RideLevel()
    private(set) var misfit: Misfit
    let options: InertialOptions
    /// Bias at the start, rad/s, and its variance, (rad/s)², which grows because biases drift.
    let priorBias: SIMD3<Double>
    var priorVariance: SIMD3<Double>
    /// Reciprocal variances of the error matrix at the start; 0 if the matrix is not estimated.
    var scaleWeight = 0.0
    var misalignmentWeight = 0.0
    private(set) var sums = MotionSums()
    /// Whether the slow sway of a body at rest has been measured.
    var hasSeenSway = false
    private(set) var turnNoise = NoiseFloor()
    private var forceNoise = NoiseFloor()
    /// A change of the error states, recorded while `CommonRide` tracks their correlation with the states of another
    /// estimator.
    enum Event: Sendable {
        case carried(StateTransition)
        case measured(MeasuredStates, gain: StateVector)
    }
    private(set) var events: [Event] = []
    private(set) var isRecorded = false
    /// Duration of the last correction, seconds, and the speed gained from the force during it, m/s.
    private(set) var lastSpan = 0.0
    private(set) var lastSpeedGain = SIMD2<Double>(0, 0)

    /// Starts to record events.
    mutating func startRecording() {
        events.removeAll(keepingCapacity: true)
        events.reserveCapacity(Self.mostEvents)
        isRecorded = true
    }

    /// Records an event. If the events have not been read for some seconds, the other estimator no longer exists, and
    /// recording stops.
    private mutating func record(_ event: @autoclosure () -> Event) {
        guard isRecorded else { return }
        guard events.count < Self.mostEvents else { return stopRecording() }
        events.append(event())
    }

    /// Stops recording and drops the events.
    mutating func stopRecording() {
        events.removeAll(keepingCapacity: true)
        isRecorded = false
    }

    /// Returns and clears the events.
    mutating func takeEvents() -> [Event] {
        defer { events.removeAll(keepingCapacity: true) }
        return events
    }

    /// Horizontal speed at the newest sample, m/s.
    var speedNow: SIMD2<Double> {
        let force = Matrix3(leveling) * sums.force
        return speed + SIMD2(force.x, force.y)
    }

    init(_ options: InertialOptions, prior: GyroscopeBias) {
        self.options = options
        misfit = Misfit(window: options.misfitWindow, memory: options.misfitMemory)
        let deviation = prior.deviation.replacing(with: 1e-6, where: prior.deviation .< 1e-6)
        priorBias = prior.value
        priorVariance = deviation * deviation
        learnt = GyroscopeError(bias: prior.value)
        used = learnt
        for axis in 0..<3 {
            covariance[Index.bias + axis, Index.bias + axis] = priorVariance[axis]
            covariance[Index.force + axis, Index.force + axis] = options.forceBiasDeviation * options.forceBiasDeviation
        }
        if options.learnsScale {
            scaleWeight = 1 / (options.scaleDeviation * options.scaleDeviation)
            misalignmentWeight = 1 / (options.misalignmentDeviation * options.misalignmentDeviation)
            for entry in 0..<9 {
                covariance[Index.matrix + entry, Index.matrix + entry] =
                    1 / (entry % 4 == 0 ? scaleWeight : misalignmentWeight)
            }
        }
        begin()
    }

    /// Seconds since the last correction.
    var span: Double { sums.span }

    /// Sets the speed to 0, and makes tilt and speed uncertain; called at the start, after a gap and during clipping. A
    /// tracker that begins in motion may have large errors, so the standard deviations are half a radian and 2 m/s.
    mutating func begin() {
        for axis in 0..<2 {
            covariance.begin(Index.tilt + axis, variance: 0.5 * 0.5)
            covariance.begin(Index.speed + axis, variance: 2 * 2)
        }
        speed = .zero
        stopRecording()
        ride.begin()
        turnNoise.begin()
        forceNoise.begin()
        misfit.begin()
        sums = MotionSums()
    }

    /// Adds one sample: see `MotionSums.add`.
    @inline(__always)
    mutating func add(
        _ orientation: Matrix3, raw: SIMD3<Double>, force: SIMD3<Double>, push: SIMD3<Double>, step: Double
    ) {
        sums.add(orientation, raw: raw, force: force, push: push, step: step)
        turnNoise.take(raw, step: step)
        forceNoise.take(force, step: step)
    }

    /// Adds the drift of the bias over a time in seconds to its variance.
    mutating func wander(for time: Double) {
        let variance = options.biasWander * options.biasWander * time
        for axis in 0..<3 { covariance.add(variance, to: Index.bias + axis) }
        priorVariance += SIMD3(repeating: variance)
    }

    /// Corrects the states by the measurement "speed 0" for the time of the sums, and clears the sums. O(order²), about
    /// 1 µs.
    mutating func correct() {
        let span = sums.span
        ride.take(
            mean: SIMD2(sums.push.x, sums.push.y) / span, meanSquare: sums.pushSquare.x / span, span: span)
        predict()
        let noise = speedNoise(rms: (sums.pushSquare.y / span).squareRoot()) * misfit.ratio / span
        let promised =
            covariance[Index.speed, Index.speed] + covariance[Index.speed + 1, Index.speed + 1] + 2 * noise
        misfit.take(-speed, variance: promised, span: span)
        for axis in 0..<2 {
            update(
                MeasuredStates(first: Index.speed + axis, coefficients: SIMD3(1, 0, 0), count: 1),
                innovation: -speed[axis], noise: noise)
        }
        use()
        sums = MotionSums()
    }

    /// Returns the noise of the measurement "speed 0", (m/s)²·s. It is the sum of three squares: of the sway plus a
    /// share of the RMS acceleration, of a share of the integrated speed, and in a vehicle of three times
    /// `RideLevel.level`.
    private func speedNoise(rms: Double) -> Double {
        let motion = options.sway + options.swayOfMotion * rms
        let carried = options.swayOfSpeed * ride.speed
        let riding = ride.isRiding ? 3 * ride.level : 0
        return motion * motion + carried * carried + riding * riding
    }

    /// Predicts states and covariance over the span of the sums.
    private mutating func predict() {
        let span = sums.span
        let level = Matrix3(leveling)
        // Rotation of the frame by an error of the rate, θ = ∫R·δω: tilt (−θy, θx) and heading θz.
        let turn = (
            sums.sensitivity(along: level.y, sign: -1), sums.sensitivity(along: level.x, sign: 1),
            sums.sensitivity(along: level.z, sign: 1)
        )
        let arm = (sums.turning(along: level.x), sums.turning(along: level.y))
        let forward = level * sums.force
        (lastSpan, lastSpeedGain) = (
            span, SIMD2(forward.x - dot(arm.0, forceBias), forward.y - dot(arm.1, forceBias))
        )
        speed += lastSpeedGain
        // The unused part of the estimate rotates the frame by a known angle.
        let unused = learnt.vector - used.vector
        let tilt = SIMD2(turn.0.dot(unused), turn.1.dot(unused))
        headingError += turn.2.dot(unused)
        speed -= Self.gravity * span * tilt / 2
        lean(by: tilt)
        let transition = StateTransition(turn: turn, fall: -Self.gravity * span, arm: arm)
        covariance.carry(transition)
        record(.carried(transition))
        // Tilt and heading have a random walk: integration and vibration (0.02°/√s), the gyroscope's noise, and more
        // under a misfit. The random walk of the speed is the error of gravity (2 mm/s/√s) and the accelerometer's
        // noise.
        turnNoise.look()
        forceNoise.look()
        let astray = options.misfitTurning * options.misfitTurning * (misfit.ratio - 1)
        let walk = (3.5e-4 * 3.5e-4 + turnNoise.walk + astray) * span
        covariance.add(walk, to: Index.tilt)
        covariance.add(walk, to: Index.tilt + 1)
        covariance.add(walk, to: Index.heading)
        for axis in 0..<2 { covariance.add((0.002 * 0.002 + forceNoise.walk) * span, to: Index.speed + axis) }
        wander(for: span)
    }

    /// Rotates the frame so that the vertical, found at (tilt.x, tilt.y, 1), is at (0, 0, 1) again.
    private mutating func lean(by tilt: SIMD2<Double>) {
        leveling = (Quaternion(smallTurn: SIMD3(tilt.y, -tilt.x, 0)) * leveling).normalized
    }

    /// Applies one scalar measurement of up to four states. O(order²).
    mutating func update(_ h: MeasuredStates, innovation: Double, noise: Double) {
        let column = covariance.column(h)
        let variance = noise + h.dot(column)
        covariance.take(column, variance: variance)
        move(innovation / variance * column)
        record(.measured(h, gain: 1 / variance * column))
    }

    /// Applies a measurement that also contains states of another estimator. `column` is the covariance of this
    /// estimator's states with the measurement, `variance` the variance of the innovation.
    mutating func update(_ column: StateVector, innovation: Double, variance: Double) {
        covariance.take(column, variance: variance)
        move(innovation / variance * column)
    }

    /// Adds a correction to the estimate.
    private mutating func move(_ x: StateVector) {
        learnt = GyroscopeError(learnt.vector + x.errors)
        speed += x.motion.highHalf
        headingError += x.rest.x
        forceBias += SIMD3(x.rest.y, x.rest.z, x.rest.w)
        lean(by: x.motion.lowHalf)
    }
}
