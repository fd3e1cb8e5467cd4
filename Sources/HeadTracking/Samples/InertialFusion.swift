import Geometry
import IMU

/// What makes orientations of rows.
protocol InertialFusion {
    /// Takes the next row: the pose then, and the standard deviation of its heading, radians.
    mutating func take(_ row: InertialRows.Row) -> (pose: Quaternion, headingDeviation: Double)
}

extension InertialFilter: InertialFusion {
    mutating func take(_ row: InertialRows.Row) -> (pose: Quaternion, headingDeviation: Double) {
        take(row.sample, at: row.time)
        return (bodyToWorld, headingDeviation)
    }
}
