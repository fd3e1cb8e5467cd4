/// IMU measurement at one moment, body axes (x front, y left, z up), calibrated apart from the gyroscope's bias.
package struct InertialSample: Hashable, Sendable {
    /// Angular rate of the body, rad/s.
    package var rate: SIMD3<Double>
    /// Specific force as an accelerometer measures it, m/s²; at rest it points up with 9.81.
    package var force: SIMD3<Double>
    /// Magnetic flux density, µT; nil without a magnetometer.
    package var field: SIMD3<Double>?

    /// Creates the sample of one moment.
    package init(rate: SIMD3<Double>, force: SIMD3<Double>, field: SIMD3<Double>? = nil) {
        self.rate = rate
        self.force = force
        self.field = field
    }
}
