import Geometry

/// The orientation of one IMU against the earth: inclination from gyroscope and accelerometer, heading from the
/// gyroscope, or with `InertialOptions.usesField` from the magnetometer.
///
/// Causal and written for uneven sample times, 50 to 1000 Hz. A value without references; one thread at a time.
/// After Laidig & Seel, "VQF: Highly accurate IMU orientation estimation with bias estimation and magnetic disturbance
/// rejection", Information Fusion 91 (2023): the specific force is filtered in the frame that the gyroscope alone keeps
/// still, where all motion but gravity averages out.
package struct InertialFilter: Sendable {
    /// As given.
    package let options: InertialOptions
    /// Body to world, z up; heading from 0 at the first sample, or x east with the magnetometer.
    package private(set) var bodyToWorld: Quaternion = .identity
    /// Angular rate less its bias, body axes, rad/s.
    package private(set) var rate = SIMD3<Double>(0, 0, 0)
    /// What is known of the gyroscope's bias.
    package private(set) var bias: GyroscopeBias
    /// Whether the body is taken to be at rest.
    package private(set) var isAtRest = false
    /// Time of the last sample, seconds; `nil` before the first.
    package private(set) var time: Double?
    /// Rate about the world's vertical less its bias, over about a quarter of a second, rad/s: what the filter of another
    /// IMU on the same vehicle takes as `commonVerticalRate`.
    package private(set) var verticalRate = 0.0
    /// Acceleration over about a quarter of a second, x and y of the world (z 0), m/s².
    package private(set) var horizontalAcceleration = SIMD3<Double>(0, 0, 0)

    private var inertialForce = SIMD3<Double>(0, 0, 0)
    private var gyroscope: Quaternion = .identity
    private var correction: Quaternion = .identity
    private var age = 0.0

    /// The standard deviation of what the heading drifts by because the bias is not known better, degrees per minute.
    package var headingDrift: Double {
        let up = bodyToWorld.conjugate.rotate(SIMD3(0, 0, 1))
        let part = up * bias.deviation
        return (part * part).sum().squareRoot() * 180 / .pi * 60
    }

    /// A filter that has seen nothing. `prior`: a remembered bias.
    package init(options: InertialOptions = InertialOptions(), prior: GyroscopeBias? = nil) {
        self.options = options
        bias = prior ?? GyroscopeBias(value: SIMD3(0, 0, 0), deviation: SIMD3(repeating: 0.5 * .pi / 180))
    }

    /// Takes the next sample. `time`: seconds, rising; a sample that is not later than the last, or not finite, is passed
    /// over. `commonVerticalRate`: rad/s about the world's vertical that another IMU on the same vehicle shows
    /// (its `verticalRate`); `nil` where there is none. No allocation.
    package mutating func take(_ sample: InertialSample, at time: Double, commonVerticalRate: Double? = nil) {
        guard time.isFinite, (sample.rate + sample.force).sum().isFinite else { return }
        guard let last = self.time else {
            self.time = time
            rate = sample.rate - bias.value
            inertialForce = sample.force
            level(sample.force)
            return
        }
        guard time > last else { return }
        self.time = time
        let previous = rate
        rate = sample.rate - bias.value
        let step = time - last
        if step > options.longestGap {
            // The heading is kept; where up is, is measured anew.
            age = 0
            inertialForce = gyroscope.rotate(sample.force)
        } else {
            gyroscope = (gyroscope * Quaternion(rotationVector: (previous + rate) * (step / 2))).normalized
        }
        age += step
        let weight = max(1 - (-step / options.inclinationTime).exponential, min(1, step / age))
        inertialForce += weight * (gyroscope.rotate(sample.force) - inertialForce)
        level(inertialForce)
        let fast = 1 - (-step / 0.25).exponential
        verticalRate += fast * (bodyToWorld.rotate(rate).z - verticalRate)
        var acceleration = bodyToWorld.rotate(sample.force)
        acceleration.z = 0
        horizontalAcceleration += fast * (acceleration - horizontalAcceleration)
    }

    /// Turns the world by the shortest way so that `force`, in the gyroscope's frame, points up.
    private mutating func level(_ force: SIMD3<Double>) {
        let up = correction.rotate(force)
        let length = (up * up).sum().squareRoot()
        guard length > 1e-6 else { return }
        let z = up.z / length
        let w = ((z + 1) / 2).squareRoot()
        let tilt =
            w > 1e-6
            ? Quaternion(w: w, x: up.y / length / (2 * w), y: -up.x / length / (2 * w), z: 0)
            : Quaternion(w: 0, x: 1, y: 0, z: 0)
        correction = (tilt * correction).normalized
        bodyToWorld = (correction * gyroscope).normalized
    }
}

extension Double {
    /// e to this power for −1…0, by its series to 1e-9.
    fileprivate var exponential: Double {
        let x = self / 8
        let e = 1 + x * (1 + x / 2 * (1 + x / 3 * (1 + x / 4 * (1 + x / 5))))
        let square = e * e
        return square * square * square * square
    }
}
