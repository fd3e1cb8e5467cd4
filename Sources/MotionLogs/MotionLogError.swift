import IMU
import Takes

/// Error in reading or writing a motion log.
package enum MotionLogError: Error, Sendable {
    /// The file cannot be read.
    case unreadable(TrackerError)
    /// The content of the file at a path is not a motion log.
    case malformed(path: String, MotionRecordingError)
    /// A file is not the path of a camera. The value states the file, the line and the fault.
    case camera(String)
    /// The file cannot be created or extended.
    case take(TakeError)
    /// The log is complete, but some poses were lost because they were not removed from the buffer in time.
    case incomplete(path: String, lostPoses: Int)
}

extension MotionLogError: CustomStringConvertible {
    /// Fault and file.
    package var description: String {
        switch self {
        case .unreadable(let error): error.description
        case .malformed(let path, let error): "\(path): \(error)"
        case .camera(let fault): fault
        case .take(let error): error.description
        case .incomplete(let path, let lost):
            "\(path) lacks \(lost) poses: this computer was too busy to write them"
        }
    }
}
