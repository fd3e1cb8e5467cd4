import Geometry

// Checks of the readings of every decoder: finite numbers, unit quaternions, plausible measurements.
extension DecoderOutput {
    /// Appends an orientation (body axes as in `InertialSample`), with the rate in body axes, rad/s. Refuses a
    /// quaternion whose length is outside 0.9…1.1, an implausible rate, numbers that are not finite, and a faulty
    /// stamp.
    mutating func orientation(
        _ quaternion: Quaternion, rate: SIMD3<Double>? = nil, stamp: SenderStamp? = nil,
        sequence: SenderSequence? = nil
    ) {
        guard let rotation = checked(quaternion, rate, stamp, sequence) else { return }
        readings.append(TrackerReading(.orientation(rotation, rate: rate), stamp: stamp, sequence: sequence))
    }

    /// Appends an orientation of a tracker that may also send raw measurements, if `choice` admits it. A refused
    /// message does not change the choice.
    mutating func orientation(
        _ quaternion: Quaternion, rate: SIMD3<Double>? = nil, stamp: SenderStamp? = nil,
        sequence: SenderSequence? = nil, by choice: inout MotionChoice
    ) {
        guard let rotation = checked(quaternion, rate, stamp, sequence, isUsed: choice.isUsed(.fused)),
            choice.admits(.fused, into: &self)
        else { return }
        readings.append(TrackerReading(.orientation(rotation, rate: rate), stamp: stamp, sequence: sequence))
    }

    /// Appends an orientation from yaw, pitch and roll in radians, with the signs of Proscenium.
    mutating func orientation(
        angles: SIMD3<Double>, rate: SIMD3<Double>? = nil, stamp: SenderStamp? = nil, sequence: SenderSequence? = nil
    ) {
        guard angles.isFinite else { return refuse(.notFinite, stamp, sequence) }
        guard angles.greatestMagnitude <= MotionRanges.greatestAngle else {
            return refuse(.implausible, stamp, sequence)
        }
        orientation(
            Quaternion(yaw: angles.x, pitch: angles.y, roll: angles.z), rate: rate, stamp: stamp, sequence: sequence)
    }

    /// Appends a raw measurement in the axes of Proscenium: rad/s, m/s², µT.
    mutating func inertial(
        rate: SIMD3<Double>, force: SIMD3<Double>, field: SIMD3<Double>? = nil, stamp: SenderStamp? = nil,
        sequence: SenderSequence? = nil
    ) {
        let sample = InertialSample(rate: rate, force: force, field: field)
        guard isUsable(sample, stamp, sequence) else { return }
        readings.append(TrackerReading(.inertial(sample), stamp: stamp, sequence: sequence))
    }

    /// Appends a raw measurement of a tracker that may also send orientations, if `choice` admits it. A refused message
    /// does not change the choice. Returns false if the sample is usable, but orientations are used instead.
    @discardableResult
    mutating func inertial(
        rate: SIMD3<Double>, force: SIMD3<Double>, field: SIMD3<Double>? = nil, stamp: SenderStamp? = nil,
        sequence: SenderSequence? = nil, by choice: inout MotionChoice
    ) -> Bool {
        let sample = InertialSample(rate: rate, force: force, field: field)
        guard isUsable(sample, stamp, sequence, isUsed: choice.isUsed(.measured)) else { return true }
        guard choice.admits(.measured, into: &self) else { return false }
        readings.append(TrackerReading(.inertial(sample), stamp: stamp, sequence: sequence))
        return true
    }

    /// Counts a fault. If `isUsed`, also records the refused measurement, because the times of later measurements
    /// depend on it.
    mutating func refuse(
        _ fault: TrackerHealth.Fault, _ stamp: SenderStamp? = nil, _ sequence: SenderSequence? = nil,
        isUsed: Bool = true
    ) {
        faults.append(fault)
        guard isUsed else { return }
        let stamp = stamp.flatMap { $0.fault == nil ? $0 : nil }
        refusals.append(RefusedMeasurement(index: readings.count, stamp: stamp, sequence: sequence))
    }

    private mutating func checked(
        _ quaternion: Quaternion, _ rate: SIMD3<Double>?, _ stamp: SenderStamp?, _ sequence: SenderSequence?,
        isUsed: Bool = true
    ) -> Rotation<Body, World>? {
        guard quaternion.isFinite, rate?.isFinite ?? true else {
            refuse(.notFinite, stamp, sequence, isUsed: isUsed)
            return nil
        }
        if let fault = stamp?.fault {
            refuse(fault, stamp, sequence, isUsed: isUsed)
            return nil
        }
        guard let rotation = Rotation<Body, World>(measured: quaternion) else {
            refuse(.notUnit, stamp, sequence, isUsed: isUsed)
            return nil
        }
        guard rate?.greatestMagnitude ?? 0 <= MotionRanges.greatestRate else {
            refuse(.implausible, stamp, sequence, isUsed: isUsed)
            return nil
        }
        return rotation
    }

    private mutating func isUsable(
        _ sample: InertialSample, _ stamp: SenderStamp?, _ sequence: SenderSequence?, isUsed: Bool = true
    ) -> Bool {
        guard let fault = sample.fault() ?? stamp?.fault else { return true }
        refuse(fault, stamp, sequence, isUsed: isUsed)
        return false
    }
}

extension Quaternion {
    /// Whether no component is NaN or infinite.
    var isFinite: Bool { w.isFinite && x.isFinite && y.isFinite && z.isFinite }
}
