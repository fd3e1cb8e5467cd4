import Geometry

// What every decoder checks before a reading goes on: finite numbers, unit quaternions, measurements that can be.
extension DecoderOutput {
    /// Angles beyond this are no orientation: two turns, radians.
    static let greatestAngle = 4 * Double.pi
    /// Beyond the range of any gyroscope for motion, rad/s.
    static let greatestRate = 100.0
    /// Beyond the range of any accelerometer for motion, m/s².
    static let greatestForce = 2000.0
    /// Two hundred times the earth's field, µT.
    static let greatestField = 10_000.0

    /// An orientation in our axes as a quaternion of any length within 0.9…1.1, with the rate in body axes, rad/s.
    mutating func orientation(
        _ quaternion: Quaternion, rate: SIMD3<Double>? = nil, stamp: SenderStamp? = nil,
        sequence: SenderSequence? = nil
    ) {
        guard quaternion.isFinite, rate?.isFinite ?? true, stamp?.seconds.isFinite ?? true else {
            return faults.append(.notFinite)
        }
        guard let rotation = Rotation<Body, World>(measured: quaternion) else { return faults.append(.notUnit) }
        if let rate, rate.greatestMagnitude > Self.greatestRate { return faults.append(.implausible) }
        readings.append(TrackerReading(.orientation(rotation, rate: rate), stamp: stamp, sequence: sequence))
    }

    /// An orientation as our yaw, pitch and roll in radians.
    mutating func orientation(
        angles: SIMD3<Double>, rate: SIMD3<Double>? = nil, stamp: SenderStamp? = nil, sequence: SenderSequence? = nil
    ) {
        guard angles.isFinite else { return faults.append(.notFinite) }
        guard angles.greatestMagnitude <= Self.greatestAngle else { return faults.append(.implausible) }
        orientation(
            Quaternion(yaw: angles.x, pitch: angles.y, roll: angles.z), rate: rate, stamp: stamp, sequence: sequence)
    }

    /// A raw measurement in our axes and units: rad/s, m/s², µT.
    mutating func inertial(
        rate: SIMD3<Double>, force: SIMD3<Double>, field: SIMD3<Double>? = nil, stamp: SenderStamp? = nil,
        sequence: SenderSequence? = nil
    ) {
        guard rate.isFinite, force.isFinite, field?.isFinite ?? true, stamp?.seconds.isFinite ?? true else {
            return faults.append(.notFinite)
        }
        guard rate.greatestMagnitude <= Self.greatestRate, force.greatestMagnitude <= Self.greatestForce,
            (field?.greatestMagnitude ?? 0) <= Self.greatestField
        else { return faults.append(.implausible) }
        let sample = InertialSample(rate: rate, force: force, field: field)
        readings.append(TrackerReading(.inertial(sample), stamp: stamp, sequence: sequence))
    }
}

extension SIMD3<Double> {
    /// Whether no component is NaN or infinite.
    var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }
    /// The greatest magnitude of a component.
    var greatestMagnitude: Double { Swift.max(abs(x), abs(y), abs(z)) }
}

extension Quaternion {
    /// Whether no component is NaN or infinite.
    var isFinite: Bool { w.isFinite && x.isFinite && y.isFinite && z.isFinite }
}
