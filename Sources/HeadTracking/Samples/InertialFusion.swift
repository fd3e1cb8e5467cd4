import Geometry
import IMU

/// A fusion of measured rows to orientations.
protocol InertialFusion {
    /// Filters the next row. Returns the pose after it, and the standard deviation of its heading, radians.
    mutating func take(_ row: InertialRows.Row) -> (pose: Quaternion, headingDeviation: Double)
}

extension InertialFilter: InertialFusion {
    mutating func take(_ row: InertialRows.Row) -> (pose: Quaternion, headingDeviation: Double) {
        take(row.sample, at: row.time)
        return (bodyToWorld, min(Self.unknownHeading, headingDeviation))
    }
}
