import CRealtime
import Geometry

/// Bias, scale and misalignment of a gyroscope, learnt from gravity and from rest: a Kalman filter of 19 states that is
/// corrected twenty times a second, whatever the sample rate.
///
/// The idea: an error of the gyroscope tilts the frame it is meant to keep still; gravity, seen from that frame, then
/// looks like a steady acceleration, and its sum like a speed. But hands and heads have no lasting speed. So the states
/// are the tilt of the frame (2), the bias (3), the error matrix (9), the horizontal speed (2) and the accelerometer's
/// bias (3), and the one measurement is: the speed is 0, within what the motion allows (`speedNoise`). It knows that
/// acceleration averages out over seconds, which white noise of acceleration would not; and turns about a horizontal
/// axis show the scale and alignment that decide the heading after turns about the vertical.
///
/// In a vehicle speeds last. While `RideLevel` sees one, the measurement counts for little and leaves scale and
/// accelerometer as they are (considered, not estimated: Schmidt's filter).
struct GyroscopeEstimator: Sendable {
    /// Seconds between corrections.
    static let interval = 0.05
    static let order = 19
    enum Index {
        static let tilt = 0
        static let bias = 2
        static let matrix = 5
        static let speed = 14
        static let force = 16
    }
    static let gravity = 9.81

    /// What the gyroscope shows while nothing turns, body axes, rad/s.
    var bias: SIMD3<Double>
    /// True rate = raw + matrix · raw − bias.
    var matrix = Matrix3.zero
    /// What the accelerometer shows too much, body axes, m/s².
    var forceBias = SIMD3<Double>(0, 0, 0)
    /// Horizontal speed in the estimator's own level frame, m/s.
    var speed = SIMD2<Double>(0, 0)
    /// The strapdown's frame to this estimator's level frame.
    var leveling: Quaternion = .identity
    /// [state][state], row-major.
    var covariance: [Double]
    var ride = RideLevel()
    private let options: InertialOptions

    // Sums since the last correction, in the strapdown's frame.
    private(set) var span = 0.0
    private var force = SIMD3<Double>(0, 0, 0)
    private var turning = Matrix3.zero
    private var sensitivityX = Matrix3.zero
    private var sensitivityY = Matrix3.zero
    private var sensitivityZ = Matrix3.zero
    private var push = SIMD3<Double>(0, 0, 0)
    private var pushSquare = SIMD2<Double>(0, 0)

    init(_ options: InertialOptions, prior: GyroscopeBias) {
        self.options = options
        bias = prior.value
        covariance = [Double](repeating: 0, count: Self.order * Self.order)
        for axis in 0..<3 {
            let known = max(prior.deviation[axis], 1e-6)
            covariance[(Index.bias + axis) * (Self.order + 1)] = known * known
            covariance[(Index.force + axis) * (Self.order + 1)] =
                options.forceBiasDeviation * options.forceBiasDeviation
        }
        if options.learnsScale {
            for entry in 0..<9 {
                let known = entry % 4 == 0 ? options.scaleDeviation : options.misalignmentDeviation
                covariance[(Index.matrix + entry) * (Self.order + 1)] = known * known
            }
        }
        begin()
    }

    /// The rate that the raw one means, rad/s.
    @inline(__always)
    func rate(_ raw: SIMD3<Double>) -> SIMD3<Double> { raw + matrix * raw - bias }

    /// Forgets tilt and speed, which belong to the motion, after a gap or at the start.
    mutating func begin() {
        for state in [0, 1, Index.speed, Index.speed + 1] {
            for other in 0..<Self.order {
                covariance[state * Self.order + other] = 0
                covariance[other * Self.order + state] = 0
            }
            covariance[state * (Self.order + 1)] = state < 2 ? 0.05 * 0.05 : 0.1 * 0.1
        }
        speed = .zero
        ride.begin()
        clearSums()
    }

    /// Adds one sample. `orientation`: body to the strapdown's frame; `raw`: the gyroscope as it came; `force` in the
    /// strapdown's frame; `push`: force in the world less gravity. O(1), about 40 ns.
    @inline(__always)
    mutating func add(
        _ orientation: Matrix3, raw: SIMD3<Double>, force: SIMD3<Double>, push: SIMD3<Double>, step: Double
    ) {
        span += step
        self.force += force * step
        let weighted = orientation * step
        turning += weighted
        let turned = raw
        sensitivityX += Matrix3(x: turned * weighted.x.x, y: turned * weighted.x.y, z: turned * weighted.x.z)
        sensitivityY += Matrix3(x: turned * weighted.y.x, y: turned * weighted.y.y, z: turned * weighted.y.z)
        sensitivityZ += Matrix3(x: turned * weighted.z.x, y: turned * weighted.z.y, z: turned * weighted.z.z)
        self.push += push * step
        let horizontal = push.x * push.x + push.y * push.y
        pushSquare += SIMD2(horizontal, horizontal + push.z * push.z) * step
    }

    /// Lets time pass without samples: the bias wanders.
    mutating func wander(for time: Double) {
        for axis in 0..<3 {
            covariance[(Index.bias + axis) * (Self.order + 1)] += options.biasWander * options.biasWander * time
        }
    }

    private mutating func clearSums() {
        span = 0
        force = .zero
        turning = .zero
        sensitivityX = .zero
        sensitivityY = .zero
        sensitivityZ = .zero
        push = .zero
        pushSquare = .zero
    }

    /// Corrects by gravity what the sums say and begins new ones. O(order²), some µs.
    mutating func correct() {
        ride.take(
            mean: SIMD2(push.x, push.y) / span, meanSquare: pushSquare.x / span, span: span)
        let noise = speedNoise(rms: (pushSquare.y / span).squareRoot())
        predict()
        let learns = !ride.isRiding
        for axis in 0..<2 {
            update(
                at: Index.speed + axis, SIMD3(1, 0, 0), count: 1, innovation: -speed[axis], noise: noise / span,
                learns: learns)
        }
        clearSums()
    }

    /// Noise of the speed as a measurement of 0, (m/s)²·s: 0.02 m/s√s of sway, 0.05 s of the motion's acceleration, and
    /// 0.7 of the speed that the acceleration sums up to; three times that of the last half minute when riding.
    private func speedNoise(rms: Double) -> Double {
        let motion = 0.02 + 0.05 * rms
        let carried = 0.7 * ride.speed
        let riding = ride.isRiding ? 3 * ride.level : 0
        return motion * motion + carried * carried + riding * riding
    }

    /// Carries states and covariance over the span of the sums.
    private mutating func predict() {
        let level = Matrix3(leveling)
        let rows = (
            sensitivityX.flat, sensitivityY.flat, sensitivityZ.flat
        )
        let bias = (turning.x, turning.y, turning.z)
        // Tilt (x, y of up) by an error of the rate: (−θy, θx) where θ = ∫R·δω, δω = δC·raw − δb.
        func row(_ r: SIMD3<Double>, _ sign: Double) -> SIMD16<Double> {
            var out = sign * (rows.0 * r.x + rows.1 * r.y + rows.2 * r.z)
            let b = -sign * (bias.0 * r.x + bias.1 * r.y + bias.2 * r.z)
            // Order of the states: bias first, matrix after it.
            for entry in stride(from: 11, through: 3, by: -1) { out[entry] = out[entry - 3] }
            out[0] = b.x
            out[1] = b.y
            out[2] = b.z
            return out
        }
        let tilt = (row(level.y, -1), row(level.x, 1))
        let arm = (
            bias.0 * level.x.x + bias.1 * level.x.y + bias.2 * level.x.z,
            bias.0 * level.y.x + bias.1 * level.y.y + bias.2 * level.y.z
        )
        let forward = level * force
        speed += SIMD2(forward.x - dot(arm.0, forceBias), forward.y - dot(arm.1, forceBias))
        let (time, wander) = (span, options.biasWander * options.biasWander * span)
        let fall = Self.gravity * span
        let n = Self.order
        covariance.withUnsafeMutableBufferPointer { p in
            // Rows, then columns: P ← A·P·Aᵀ; A differs from 1 in the rows of tilt and speed only. The old tilt and
            // half of its change act on the speed.
            for (stride, other) in [(n, 1), (1, n)] {
                for k in 0..<n {
                    let base = k * other
                    var change = (0.0, 0.0)
                    for j in 0..<12 {
                        let value = p[base + (Index.bias + j) * stride]
                        change.0 += tilt.0[j] * value
                        change.1 += tilt.1[j] * value
                    }
                    var slope = (0.0, 0.0)
                    for j in 0..<3 {
                        let value = p[base + (Index.force + j) * stride]
                        slope.0 += arm.0[j] * value
                        slope.1 += arm.1[j] * value
                    }
                    p[base + Index.speed * stride] -= fall * (p[base] + change.0 / 2) + slope.0
                    p[base + (Index.speed + 1) * stride] -= fall * (p[base + stride] + change.1 / 2) + slope.1
                    p[base] += change.0
                    p[base + stride] += change.1
                }
            }
            // Tilt by integration and vibration (0.02°/√s), speed by gravity's own error (2 mm/s√s).
            let (tiltNoise, speedNoise) = (3.5e-4 * 3.5e-4 * time, 0.002 * 0.002 * time)
            for axis in 0..<2 {
                p[axis * (n + 1)] += tiltNoise
                p[(Index.speed + axis) * (n + 1)] += speedNoise
            }
            for axis in 0..<3 { p[(Index.bias + axis) * (n + 1)] += wander }
        }
    }
}

extension Matrix3 {
    /// By rows; the last seven are 0.
    fileprivate var flat: SIMD16<Double> {
        SIMD16(x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z, 0, 0, 0, 0, 0, 0, 0)
    }
}
