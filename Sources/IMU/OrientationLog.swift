import Geometry

/// A recorded motion: rotations over time. Between rows they are interpolated by slerp; before the first and after the
/// last row the rotation is constant.
///
/// Its text form is CSV `t,w,x,y,z`: seconds, and a unit quaternion (Hamilton) that maps `From` to `To`.
package struct OrientationLog<From, To>: Equatable, Sendable {
    /// Times of the rows in seconds, strictly rising, finite; at least one.
    package let times: [Double]
    /// Rotations, one for each time.
    package let poses: [Rotation<From, To>]

    /// Creates a log from rows. Throws if there are no rows, if times and poses differ in number, if a time is not
    /// finite, or if the times do not rise. The error counts rows from 1.
    package init(times: [Double], poses: [Rotation<From, To>]) throws(OrientationLogError) {
        guard !times.isEmpty, times.count == poses.count else { throw .noRows }
        for index in times.indices {
            guard times[index].isFinite else { throw .notFinite(line: index + 1) }
            if index > 0, times[index] <= times[index - 1] {
                throw .timesOutOfOrder(line: index + 1, time: times[index], previous: times[index - 1])
            }
        }
        self.times = times
        self.poses = poses
    }

    /// Seconds from the first row to the last.
    package var duration: Double { times[times.count - 1] - times[0] }

    /// Returns the rotation at a time in seconds: slerp between the neighbouring rows, or the first or last row outside
    /// their range. O(log rows).
    package func pose(at time: Double) -> Rotation<From, To> {
        guard time > times[0] else { return poses[0] }
        guard time < times[times.count - 1] else { return poses[times.count - 1] }
        var (low, high) = (0, times.count - 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if times[middle] <= time { low = middle } else { high = middle }
        }
        return poses[low].slerp(to: poses[high], (time - times[low]) / (times[high] - times[low]))
    }
}

/// Fault of a motion log. Lines are counted from 1.
package enum OrientationLogError: Error, Equatable, Sendable {
    /// A line before the first row of numbers is neither the header `t,w,x,y,z`, nor empty, nor a comment.
    case badHeader(String)
    /// There is no row of numbers, or there are not as many times as rotations.
    case noRows
    /// A row does not have five fields.
    case wrongFieldCount(line: Int, found: Int)
    /// A field is not a number.
    case notANumber(line: Int, field: String)
    /// A number is infinite or not a number.
    case notFinite(line: Int)
    /// The quaternion's length is outside 0.9…1.1.
    case notUnit(line: Int, length: Double)
    /// A time does not come after the previous one.
    case timesOutOfOrder(line: Int, time: Double, previous: Double)
    /// The magnitude of a time exceeds `MotionRanges.greatestTime`.
    case noTime(line: Int, time: Double)
    /// The bytes are not UTF-8.
    case notText
}

extension OrientationLogError: CustomStringConvertible {
    /// The fault and its line.
    package var description: String {
        switch self {
        case .badHeader(let header):
            "line 1 is '\(header)'; a motion log begins with 't,w,x,y,z' (seconds, unit quaternion) or with numbers"
        case .noRows: "the motion log has no rows; it needs lines of t,w,x,y,z"
        case .wrongFieldCount(let line, let found): "line \(line) has \(found) fields; t,w,x,y,z are five"
        case .notANumber(let line, let field): "line \(line): '\(field)' is not a number"
        case .notFinite(let line): "line \(line) holds a number that is not finite"
        case .notUnit(let line, let length):
            "line \(line): the quaternion has length \(length); a rotation has length 1 (0.9 to 1.1 is accepted)"
        case .timesOutOfOrder(let line, let time, let previous):
            "line \(line): the time \(time) does not come after \(previous); sort the rows by time"
        case .noTime(let line, let time): "line \(line): \(time) is not a valid time in seconds"
        case .notText: "the motion log is not UTF-8 text"
        }
    }
}
