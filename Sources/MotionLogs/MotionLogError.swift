import IMU
import Takes

/// Why a motion log cannot be read or written.
package enum MotionLogError: Error, Sendable {
    /// The file cannot be had.
    case unreadable(TrackerError)
    /// What the file at a path holds is no motion log.
    case malformed(path: String, MotionRecordingError)
    /// The file cannot be written, or not written on.
    case take(TakeError)
    /// The log is written, but some poses came faster than they could be taken away.
    case incomplete(path: String, lostPoses: Int)
}

extension MotionLogError: CustomStringConvertible {
    /// What is wrong with which file.
    package var description: String {
        switch self {
        case .unreadable(let error): error.description
        case .malformed(let path, let error): "\(path): \(error)"
        case .take(let error): error.description
        case .incomplete(let path, let lost):
            "\(path) lacks \(lost) poses: this computer was too busy to write them"
        }
    }
}
