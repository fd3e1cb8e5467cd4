/// What a tracker may say it measured. Beyond that no sensor that is worn or driven can show anything: such a number is
/// a fault of its sender or its file, and arithmetic on it ends in infinities that are heard for minutes. Every reading
/// passes these ranges before a filter sees it, by whichever way it came.
package enum MotionRanges {
    /// Radians: two turns; more is no orientation.
    package static let greatestAngle = 4 * Double.pi
    /// rad/s. Gyroscopes for motion reach ±2000 °/s (InvenSense ICM-42688-P, Bosch BMI270), few ±4000 °/s (InvenSense
    /// ICM-45686): 35 and 70 rad/s by their data sheets.
    package static let greatestRate = 100.0
    /// m/s². Accelerometers for motion reach ±16 to ±32 g, those for impacts ±200 g (Analog Devices ADXL375): 1961
    /// m/s².
    package static let greatestForce = 2000.0
    /// µT, 200 times the earth's field. Magnetometers reach ±4912 µT (AKM AK09918).
    package static let greatestField = 10_000.0
    /// Seconds of a sender's clock or a recording's times: 300 years in nanoseconds, should its unit be mistaken.
    package static let greatestTime = 1e19
}

extension InertialSample {
    /// Why it cannot have been measured: `notFinite` or `implausible`; nil where it can. `greatestField`: in the unit
    /// of its field.
    package func fault(greatestField: Double = MotionRanges.greatestField) -> TrackerHealth.Fault? {
        guard rate.isFinite, force.isFinite, field?.isFinite ?? true else { return .notFinite }
        let isPlausible =
            rate.greatestMagnitude <= MotionRanges.greatestRate && force.greatestMagnitude <= MotionRanges.greatestForce
            && field?.greatestMagnitude ?? 0 <= greatestField
        return isPlausible ? nil : .implausible
    }
}

extension SenderStamp {
    /// Why it cannot be a clock's; nil where it can.
    package var fault: TrackerHealth.Fault? {
        guard seconds.isFinite else { return .notFinite }
        return abs(seconds) <= MotionRanges.greatestTime ? nil : .implausible
    }
}

extension SIMD3<Double> {
    /// Whether no component is NaN or infinite.
    package var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }
    /// The greatest magnitude of a component.
    package var greatestMagnitude: Double { Swift.max(abs(x), abs(y), abs(z)) }
}
