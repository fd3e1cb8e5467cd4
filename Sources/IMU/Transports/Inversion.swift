import Geometry

/// Angles whose sign is inverted after the conversion by format and mounting, for trackers that send the opposite sign.
package struct Inversion: OptionSet, Hashable, Sendable {
    /// Bits of the angles that change their sign.
    package let rawValue: Int
    /// Creates an inversion from the bits below.
    package init(rawValue: Int) { self.rawValue = rawValue }
    /// Left becomes right.
    package static let yaw = Inversion(rawValue: 1)
    /// Up becomes down.
    package static let pitch = Inversion(rawValue: 2)
    /// A roll to the right becomes one to the left.
    package static let roll = Inversion(rawValue: 4)

    /// Returns the orientation with the signs of these angles inverted.
    func applied(to rotation: Rotation<Body, World>) -> Rotation<Body, World> {
        guard !isEmpty else { return rotation }
        let q = rotation.quaternion
        return Rotation(
            yaw: contains(.yaw) ? -q.yaw : q.yaw, pitch: contains(.pitch) ? -q.pitch : q.pitch,
            roll: contains(.roll) ? -q.roll : q.roll)
    }

    /// Returns the rate with the corresponding signs inverted. The result is exact while the head is level, and always
    /// exact if exactly two angles are inverted.
    func applied(toRate rate: SIMD3<Double>) -> SIMD3<Double> {
        rate * SIMD3(contains(.roll) ? -1 : 1, contains(.pitch) ? -1 : 1, contains(.yaw) ? -1 : 1)
    }

    /// Returns the bias of a gyroscope with the corresponding signs inverted.
    func applied(to bias: GyroscopeBias) -> GyroscopeBias {
        GyroscopeBias(value: applied(toRate: bias.value), deviation: bias.deviation)
    }

    /// Returns the measurement of an IMU with inverted axes. An inverted pitch inverts the forward force, an inverted
    /// roll the force to the left. The magnetic field has no such rule and is omitted.
    func applied(to sample: InertialSample) -> InertialSample {
        guard !isEmpty else { return sample }
        return InertialSample(
            rate: applied(toRate: sample.rate),
            force: sample.force * SIMD3(contains(.pitch) ? -1 : 1, contains(.roll) ? -1 : 1, 1),
            clipping: sample.clipping?.turned(by: applied(toRate:)))
    }
}
