import IMU

/// Errors of a capture's settings and files, described for the user.
package enum CaptureError: Error, Equatable, Sendable, CustomStringConvertible {
    /// No built-in array has that name, and no such file exists.
    case unknownArray(String)
    /// A file cannot be read, for the given reason.
    case unreadable(path: String, reason: String)
    /// A file of the device's orientation is invalid.
    case orientation(path: String, reason: OrientationLogError)
    /// A description is not JSON. `reason` includes the position.
    case notJSON(source: String, reason: String)
    /// A value is missing, unknown or out of range. `key`: path of the value, for example `capsules[2].axis`.
    case invalid(source: String, key: String, reason: String)
    /// The number of sources differs from the number of channels of the array.
    case wrongChannelCount(array: String, wanted: [String], found: Int)
    /// A calibration does not fit the array, or has faulty responses.
    case calibrationDoesNotFit(source: String, reason: String)
    /// The capsules do not even resolve the pressure, so that no sound field can be encoded from them.
    case nothingObserved(array: String)
    /// A radius lies outside `MicrophoneArray.radii`. The value is in metres.
    case radius(Double)

    /// Faulty value, fault and remedy.
    package var description: String {
        switch self {
        case .unknownArray(let name):
            "unknown array '\(name)'; known are \(MicrophoneArray.names.joined(separator: ", ")), or a JSON file with "
                + "the capsules' positions"
        case .unreadable(let path, let reason): "cannot read \(path): \(reason)"
        case .orientation(let path, let reason): "\(path): \(reason.description)"
        case .notJSON(let source, let reason): "\(source) is not valid JSON: \(reason)"
        case .invalid(let source, let key, let reason): "\(source): \(key) \(reason)"
        case .wrongChannelCount(let array, let wanted, let found):
            "the array '\(array)' takes \(wanted.count) channels (\(wanted.joined(separator: " "))), and there "
                + "\(found == 1 ? "is 1 source" : "are \(found) sources"): connect one to each, or name another --array"
        case .calibrationDoesNotFit(let source, let reason): "the calibration \(source) does not fit: \(reason)"
        case .nothingObserved(let array):
            "the capsules of '\(array)' do not resolve the pressure: check their positions and axes"
        case .radius(let metres):
            "a radius of \(metres * 1000) mm: arrays have "
                + "\(Int(MicrophoneArray.radii.lowerBound * 1000))…\(Int(MicrophoneArray.radii.upperBound * 1000)) mm"
        }
    }
}
