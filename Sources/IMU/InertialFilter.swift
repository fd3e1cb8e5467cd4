import Geometry

/// What is known of a gyroscope's bias before the first sample.
package struct GyroscopeBias: Hashable, Sendable, Codable {
    /// Body axes, rad/s.
    package var value: SIMD3<Double>
    /// Standard deviation of each axis, rad/s.
    package var deviation: SIMD3<Double>

    /// A bias.
    package init(value: SIMD3<Double>, deviation: SIMD3<Double>) {
        self.value = value
        self.deviation = deviation
    }
}

/// The orientation of one IMU against the earth.
package struct InertialFilter: Sendable {
    /// Body to world, z up; heading from 0 at the first sample.
    package private(set) var bodyToWorld: Quaternion = .identity
    /// Angular rate less its bias, body axes, rad/s.
    package private(set) var rate = SIMD3<Double>(0, 0, 0)
    /// What is known of the gyroscope's bias.
    package private(set) var bias: GyroscopeBias
    /// Whether the body is taken to be at rest.
    package private(set) var isAtRest = false
    /// Time of the last sample, seconds; `nil` before the first.
    package private(set) var time: Double?

    /// A filter that has seen nothing. `prior`: a remembered bias.
    package init(prior: GyroscopeBias? = nil) {
        bias = prior ?? GyroscopeBias(value: SIMD3(0, 0, 0), deviation: SIMD3(repeating: 0.5 * .pi / 180))
    }

    /// Takes the next sample. `time`: seconds, rising. `commonVerticalRate`: rad/s about the world's vertical that another
    /// IMU on the same vehicle shows; `nil` where there is none.
    package mutating func take(_ sample: InertialSample, at time: Double, commonVerticalRate: Double? = nil) {
        let step = self.time.map { min(0.1, max(0, time - $0)) } ?? 0
        self.time = time
        rate = sample.rate - bias.value
        bodyToWorld = (bodyToWorld * Quaternion(rotationVector: rate * step)).normalized
    }
}
