import AudioIO
import HRTF
import IMU
import MotionLogs
import Rendering
import Rooms
import Soundstage

/// Errors of the modules below, classified: whose fault each is. The words are the module's own.
extension SessionError {
    init(_ error: SoundstageError) {
        if case .unknownLayout = error {
            self.init(.usage, error.description)
        } else {
            self.init(.input, error.description)
        }
    }

    init(_ error: SoundFileError) {
        switch error {
        case .noPermission, .system, .diskFull, .stopped, .incomplete: self.init(.environment, error.description)
        case .unknownFormat, .unsupportedEncoding, .exists, .beingRecorded, .cutOff:
            self.init(.usage, error.description)
        case .cancelled: self.init(.interrupted, error.description)
        default: self.init(.input, error.description)
        }
    }

    init(_ error: TrackerError) {
        switch error.fault {
        case .usage: self.init(.usage, error.description)
        case .input: self.init(.input, error.description)
        case .environment: self.init(.environment, error.description)
        }
    }

    init(_ error: MotionLogError) {
        switch error {
        case .unreadable(let cause): self.init(cause)
        case .malformed: self.init(.input, error.description)
        case .take(let cause): self.init(cause)
        case .incomplete: self.init(.environment, error.description)
        }
    }

    /// An error about an HRTF set.
    package init(_ error: HRTFError) {
        switch error {
        case .unknownSet: self.init(.usage, error.description)
        case .notInstalled, .unwritable, .catalogue, .conversion: self.init(.environment, error.description)
        case .file, .implausible, .directions: self.init(.input, error.description)
        }
    }

    init(_ error: RoomError) {
        switch error {
        case .unknownRoom, .noSources: self.init(.usage, error.description)
        case .conversion: self.init(.environment, error.description)
        case .file, .implausible, .tooLarge: self.init(.input, error.description)
        }
    }

    init(_ error: JACKError) { self.init(error.isUsage ? .usage : .environment, error.description) }

    init(_ error: RenderingError) { self.init(.usage, error.description) }
}

extension JACKError {
    /// Whether another command line would do.
    fileprivate var isUsage: Bool {
        switch self {
        case .invalidName, .noSuchPort: true
        default: false
        }
    }
}
