/// Greatest plausible magnitude of each component of a measurement. A sensor on a head or in a vehicle cannot measure
/// more, so a larger value is a fault of its sender or file. A single such value would disturb the orientation filter
/// for minutes. Every reading is checked against these limits before it reaches a filter.
package enum MotionRanges {
    /// Greatest angle, radians: two turns, more than any orientation needs.
    package static let greatestAngle = 4 * Double.pi
    /// Greatest rate, rad/s. By their data sheets most motion gyroscopes reach ±2000 °/s or 35 rad/s (InvenSense
    /// ICM-42688-P, Bosch BMI270), and some ±4000 °/s or 70 rad/s (InvenSense ICM-45686).
    package static let greatestRate = 100.0
    /// Greatest specific force, m/s². Motion accelerometers reach ±16 to ±32 g. An accelerometer for impacts, Analog
    /// Devices' ADXL375, reaches ±200 g or 1961 m/s².
    package static let greatestForce = 2000.0
    /// Greatest flux density, µT: 200 times the earth's field. Magnetometers reach ±4912 µT (AKM AK09918).
    package static let greatestField = 10_000.0
    /// Greatest magnitude of a time stamp, seconds. A sender may label nanoseconds as seconds; 300 years in nanoseconds
    /// are below this limit.
    package static let greatestTime = 1e19
}

extension InertialSample {
    /// Fault that makes the sample unusable (`notFinite` or `implausible`); nil for a usable sample. `greatestField`:
    /// limit of the field in its own unit.
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
    /// Fault that makes the stamp unusable; nil for a usable stamp.
    package var fault: TrackerHealth.Fault? {
        guard seconds.isFinite else { return .notFinite }
        return abs(seconds) <= MotionRanges.greatestTime ? nil : .implausible
    }
}

extension SIMD3<Double> {
    /// Whether no component is NaN or infinite.
    package var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }
    /// Whether every component lies in −`limit`…+`limit`; NaN gives false. `limit` must be finite.
    @inline(__always)
    func isWithin(_ limit: Double) -> Bool { abs(x) <= limit && abs(y) <= limit && abs(z) <= limit }
    /// Greatest magnitude of a component.
    package var greatestMagnitude: Double { Swift.max(abs(x), abs(y), abs(z)) }
}
