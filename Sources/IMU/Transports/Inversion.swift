import Geometry

/// Angles whose sign is turned round after a format's own convention and the mounting have been applied: for trackers
/// configured the other way.
package struct Inversion: OptionSet, Hashable, Sendable {
    /// Bits of the angles that change their sign.
    package let rawValue: Int
    /// From the bits below.
    package init(rawValue: Int) { self.rawValue = rawValue }
    /// Left becomes right.
    package static let yaw = Inversion(rawValue: 1)
    /// Up becomes down.
    package static let pitch = Inversion(rawValue: 2)
    /// The right ear becomes the left.
    package static let roll = Inversion(rawValue: 4)

    /// The same orientation with the angles turned round.
    func applied(to rotation: Rotation<Body, World>) -> Rotation<Body, World> {
        guard !isEmpty else { return rotation }
        let q = rotation.quaternion
        return Rotation(
            yaw: contains(.yaw) ? -q.yaw : q.yaw, pitch: contains(.pitch) ? -q.pitch : q.pitch,
            roll: contains(.roll) ? -q.roll : q.roll)
    }

    /// The rate that belongs to it: exact where the head is level, and wherever two angles are inverted.
    func applied(toRate rate: SIMD3<Double>) -> SIMD3<Double> {
        rate * SIMD3(contains(.roll) ? -1 : 1, contains(.pitch) ? -1 : 1, contains(.yaw) ? -1 : 1)
    }

    /// What an IMU fastened the other way round would measure. Pitch shows in the force to the front, roll in that to
    /// the left. The magnetic field has no like rule and is left out.
    func applied(to sample: InertialSample) -> InertialSample {
        guard !isEmpty else { return sample }
        return InertialSample(
            rate: applied(toRate: sample.rate),
            force: sample.force * SIMD3(contains(.pitch) ? -1 : 1, contains(.roll) ? -1 : 1, 1))
    }
}
