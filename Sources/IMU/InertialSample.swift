/// IMU measurement at one moment, body axes (x front, y left, z up), calibrated apart from the gyroscope's bias.
package struct InertialSample: Hashable, Sendable {
    /// Angular rate of the body, rad/s.
    package var rate: SIMD3<Double>
    /// Specific force as an accelerometer measures it, m/s²; at rest it points up with 9.81.
    package var force: SIMD3<Double>
    /// Magnetic flux density, µT; nil without a magnetometer.
    package var field: SIMD3<Double>?
    /// State of a gyroscope at the end of its range, or that has just left it; nil otherwise.
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

/// A rate beyond the range of the gyroscope.
package enum Clipping: Hashable, Sendable {
    /// The rate is at the end of the range.
    case lasting
    /// It has left the end: estimate of the turn that was not measured, and its standard deviation, radians about each
    /// axis.
    case ended(lost: SIMD3<Double>, deviation: SIMD3<Double>)

    /// Returns the same in other axes; `turn` converts a rate.
    func turned(by turn: (SIMD3<Double>) -> SIMD3<Double>) -> Clipping {
        switch self {
        case .lasting: .lasting
        case .ended(let lost, let deviation): .ended(lost: turn(lost), deviation: turn(deviation))
        }
    }
}
