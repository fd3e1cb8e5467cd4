import IMU
import Takes

/// Error in reading or writing a motion log or a file of poses, or in reading a camera's path.
package enum MotionLogError: Error, Sendable {
    /// The file cannot be read.
    case unreadable(TrackerError)
    /// The content of the file is not a motion log, or it is a motion log with a fault.
    case malformed(path: String, MotionRecordingError)
    /// The content of a file does not state a camera's heading over time (`CameraPath`). The value is the message: the
    /// file, the fault, and the line if one line is faulty.
    case camera(String)
    /// The file cannot be created or extended.
    case take(TakeError)
    /// The log has its final name, but some poses are missing in it: the renderer's buffer was full, because it was not
    /// read in time.
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
