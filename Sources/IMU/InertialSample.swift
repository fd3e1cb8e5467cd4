/// Measurement of an IMU at one moment in body axes (x front, y left, z up). It is calibrated, except that the rate
/// still contains the gyroscope's bias.
package struct InertialSample: Hashable, Sendable {
    /// Angular rate of the body, rad/s.
    package var rate: SIMD3<Double>
    /// Specific force as an accelerometer measures it, m/s². At rest it points up and has the magnitude 9.81 m/s².
    package var force: SIMD3<Double>
    /// Magnetic flux density, µT; nil without a magnetometer.
    package var field: SIMD3<Double>?
    /// Clipping of the gyroscope, in progress or just ended; nil otherwise.
    package var clipping: Clipping?

    /// Creates the sample of one moment.
    package init(
        rate: SIMD3<Double>, force: SIMD3<Double>, field: SIMD3<Double>? = nil, clipping: Clipping? = nil
    ) {
        self.rate = rate
        self.force = force
        self.field = field
        self.clipping = clipping
    }
}

/// Clipping: the true rate exceeds the range of the gyroscope.
package enum Clipping: Hashable, Sendable {
    /// The measured rate is at the limit of the range.
    case lasting
    /// The rate is within the range again. `lost`: estimate of the rotation that was not measured, a rotation vector in
    /// radians. `errors`: its independent errors, one row for each axis of the gyroscope. A row is a rotation vector
    /// about this axis with the length of one standard deviation, radians.
    case ended(lost: SIMD3<Double>, errors: Matrix3)

    /// Returns the clipping in other axes; `turn` converts a vector to these axes.
    func turned(by turn: (SIMD3<Double>) -> SIMD3<Double>) -> Clipping {
        switch self {
        case .lasting: .lasting
        case .ended(let lost, let errors):
            .ended(lost: turn(lost), errors: Matrix3(x: turn(errors.x), y: turn(errors.y), z: turn(errors.z)))
        }
    }
}
