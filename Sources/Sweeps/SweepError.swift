/// Error of a sweep measurement.
package enum SweepError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sweep cannot be made from these numbers.
    case impossible(String)
    /// A test signal is no exponential sweep.
    case notASweep(String)
    /// A recording does not contain the sounds of its plan (`TakePlan`), or its samples cannot be used.
    case recording(String)
    /// A line of a microphone's calibration file cannot be read.
    case line(Int, of: String, String)
    /// A calibration file as a whole cannot be used.
    case calibration(String, String)

    /// The fault and its remedy.
    package var description: String {
        switch self {
        case .impossible(let reason), .notASweep(let reason), .recording(let reason): reason
        case .line(let number, let name, let reason): "\(name), line \(number): \(reason)"
        case .calibration(let name, let reason): "\(name): \(reason)"
        }
    }
}
