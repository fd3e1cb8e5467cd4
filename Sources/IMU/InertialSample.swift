/// What an IMU measures at one moment, in body axes (x front, y left, z up), calibrated but with the gyroscope's bias.
package struct InertialSample: Hashable, Sendable {
    /// Angular rate of the body, rad/s.
    package var rate: SIMD3<Double>
    /// Specific force, m/s²: what an accelerometer shows; at rest it points up with 9.81.
    package var force: SIMD3<Double>
    /// Magnetic flux density, µT, where there is a magnetometer.
    package var field: SIMD3<Double>?

    /// One moment of an IMU.
    package init(rate: SIMD3<Double>, force: SIMD3<Double>, field: SIMD3<Double>? = nil) {
        self.rate = rate
        self.force = force
        self.field = field
    }
}
