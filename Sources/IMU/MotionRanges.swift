/// Ranges of plausible measurements. No sensor that is worn or driven measures values beyond them: such a number is a
/// fault of its sender or its file, and arithmetic on it ends in infinities that are audible for minutes. Every reading
/// passes these ranges before it reaches a filter, on every path.
package enum MotionRanges {
    /// Greatest angle, radians: two turns; an orientation needs no more.
    package static let greatestAngle = 4 * Double.pi
    /// Greatest rate, rad/s. Gyroscopes for motion reach ±2000 °/s (InvenSense ICM-42688-P, Bosch BMI270), few ±4000
    /// °/s (InvenSense ICM-45686): 35 and 70 rad/s by their data sheets.
    package static let greatestRate = 100.0
    /// Greatest specific force, m/s². Accelerometers for motion reach ±16 to ±32 g, those for impacts ±200 g (Analog
    /// Devices ADXL375): 1961 m/s².
    package static let greatestForce = 2000.0
    /// Greatest flux density, µT: 200 times the earth's field. Magnetometers reach ±4912 µT (AKM AK09918).
    package static let greatestField = 10_000.0
    /// Greatest time of a sender or recording, seconds: 300 years in nanoseconds, in case its unit is mistaken.
    package static let greatestTime = 1e19
}

extension InertialSample {
    /// Fault that makes the sample unusable: `notFinite` or `implausible`; nil without one. `greatestField`: in the
    /// unit of the sample's field.
    package func fault(greatestField: Double = MotionRanges.greatestField) -> TrackerHealth.Fault? {
        if rate.isWithin(MotionRanges.greatestRate), force.isWithin(MotionRanges.greatestForce),
            field?.isWithin(greatestField) ?? true
        {
            return nil
        }
        return rate.isFinite && force.isFinite && field?.isFinite ?? true ? .implausible : .notFinite
    }
}

extension SenderStamp {
    /// Fault that makes the stamp unusable; nil without one.
    package var fault: TrackerHealth.Fault? {
        guard seconds.isFinite else { return .notFinite }
        return abs(seconds) <= MotionRanges.greatestTime ? nil : .implausible
    }
}

extension SIMD3<Double> {
    /// Whether no component is NaN or infinite.
    package var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }
    /// Whether no component's magnitude is beyond a finite limit, and none is NaN.
    @inline(__always)
    func isWithin(_ limit: Double) -> Bool { abs(x) <= limit && abs(y) <= limit && abs(z) <= limit }
    /// Greatest magnitude of a component.
    package var greatestMagnitude: Double { Swift.max(abs(x), abs(y), abs(z)) }
}
