import Geometry
import IMU

/// A fusion of measured rows to orientations.
protocol InertialFusion {
    /// Filters the next row. Returns the pose after this row, and the standard deviation of the heading, radians.
    mutating func take(_ row: InertialRows.Row) -> (pose: Quaternion, headingDeviation: Double)
}

extension InertialFilter: InertialFusion {
    mutating func take(_ row: InertialRows.Row) -> (pose: Quaternion, headingDeviation: Double) {
        take(row.sample, at: row.time)
        return (bodyToWorld, min(Self.unknownHeading, headingDeviation))
    }
}
