import AudioIO
import HRTF
import IMU
import MotionLogs
import PluginHost
import Rendering
import Rooms
import SOFA
import Soundstage
import Takes

/// Why a session cannot start or go on: whose fault it is, and a sentence that tells the user what to do next.
package struct SessionError: Error, Sendable, CustomStringConvertible {
    /// Where the fault lies.
    package enum Fault: Sendable {
        /// The file, set, layout or log that was given.
        case input
        /// What was asked for: an unknown name, options that exclude each other.
        case usage
        /// The machine: JACK, ports, permissions, disk.
        case environment
        /// No fault: the user stopped it.
        case interrupted
    }

    /// Where the fault lies.
    package let fault: Fault
    /// What is wrong, where, and what to do.
    package let description: String
    /// Whether it may be otherwise as soon as the audio server is there, or lets a client in.
    package var mayPass = false

    /// An error with a message for the user.
    package init(_ fault: Fault, _ description: String) {
        self.fault = fault
        self.description = description
    }
}

/// Errors of the modules below, classified: whose fault each is. The words are the module's own.
extension SessionError {
    /// An error about a layout: usage where it has another name.
    package init(_ error: SoundstageError) {
        if case .unknownLayout = error {
            self.init(.usage, error.description)
        } else {
            self.init(.input, error.description)
        }
    }

    /// What a sound file's error is to the session: the environment's fault where the system refuses, else the input's.
    package init(_ error: SoundFileError) {
        switch error {
        case .noPermission, .system, .diskFull, .stopped, .incomplete: self.init(.environment, error.description)
        case .unknownFormat, .unsupportedEncoding, .exists, .beingRecorded, .cutOff, .standardStream:
            self.init(.usage, error.description)
        case .cancelled: self.init(.interrupted, error.description)
        default: self.init(.input, error.description)
        }
    }

    /// What a plugin's error is to the session: usage where it was asked for something it does not have.
    package init(_ error: PluginError) {
        switch error {
        case .unknown, .noControl, .badValue, .noPreset, .noProperty, .noMIDI: self.init(.usage, error.description)
        case .badBundle, .refused, .failed, .state: self.init(.input, error.description)
        case .noChild: self.init(.environment, error.description)
        }
    }

    /// An error about a tracker, which says itself whose fault it is.
    package init(_ error: TrackerError) {
        switch error.fault {
        case .usage: self.init(.usage, error.description)
        case .input: self.init(.input, error.description)
        case .environment: self.init(.environment, error.description)
        }
    }

    /// An error about a log of motion or poses.
    package init(_ error: MotionLogError) {
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
        case .unknownSet, .options: self.init(.usage, error.description)
        case .notInstalled, .unwritable, .catalogue, .conversion, .file(.noReader):
            self.init(.environment, error.description)
        case .file(.cancelled): self.init(.interrupted, "interrupted")
        case .file, .implausible, .directions: self.init(.input, error.description)
        }
    }

    /// An error about a room.
    package init(_ error: RoomError) {
        switch error {
        case .unknownRoom, .noSources: self.init(.usage, error.description)
        case .conversion, .file(.noReader): self.init(.environment, error.description)
        case .file(.cancelled): self.init(.interrupted, "interrupted")
        case .file, .implausible, .tooLarge: self.init(.input, error.description)
        }
    }

    /// An error of the JACK server or a client of it.
    package init(_ error: JACKError) {
        self.init(error.isUsage ? .usage : .environment, error.description)
        mayPass = error.mayPass
    }

    /// An error about what a renderer is to be.
    package init(_ error: RenderingError) { self.init(.usage, error.description) }

    /// What a take's error is to the session: usage where another name is wanted, else the environment's fault.
    package init(_ error: TakeError) {
        switch error {
        case .exists, .beingRecorded, .cutOff, .notAFile, .standardStream: self.init(.usage, error.description)
        case .stopped, .system: self.init(.environment, error.description)
        }
    }
}

extension JACKError {
    /// Whether the server may yet come, or have room.
    fileprivate var mayPass: Bool {
        switch self {
        case .noServer, .serverGone, .nameTaken, .refused, .noMorePorts, .notActivated: true
        default: false
        }
    }

    /// Whether another command line would do.
    fileprivate var isUsage: Bool {
        switch self {
        case .invalidName, .noSuchPort: true
        default: false
        }
    }
}

/// Why a stage cannot be had as asked, in the words the user reads.
package enum StageRefusal {
    /// Why a programme in a measured room has no width of its own.
    package static func noWidthInRoom(_ name: String) -> String {
        "the sources of '\(name)' are as wide as the loudspeakers measured in this room; give it no width, or another room"
    }

    /// Why a loudspeaker in a measured room has no distance of its own.
    package static func noDistanceInRoom(_ name: String) -> String {
        "the loudspeakers of '\(name)' are as far as those measured in this room; give them no distance, or another room"
    }

    /// Why a sound field is always on the stage.
    package static func noFold(of layout: Layout) -> String {
        "a sound field (\(layout.name)) is not folded down to two channels while it plays ('process --to stereo' does that)"
    }

    /// Why a sound field has no width.
    package static func noWidth(of layout: Layout) -> String {
        "a sound field (\(layout.name)) has no sources that could be wide; its recording says how wide things are (voices of an Audio Mix have width: --mix)"
    }

    /// Why nothing stands at the voices' distance.
    package static let noVoices =
        "the voices that have a distance are those of an Audio Mix: add --mix, or leave out --voice-distance"
}
