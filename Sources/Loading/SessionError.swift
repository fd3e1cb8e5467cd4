import AudioIO
import Foundation
import Gate
import HRTF
import IMU
import MotionLogs
import Rendering
import Rooms
import SOFA
import Soundstage
import Takes

/// Reason why a session cannot start or continue: the origin of the fault, and a sentence with the remedy.
package struct SessionError: Error, Sendable, CustomStringConvertible {
    /// Origins of a fault.
    package enum Fault: Sendable {
        /// A file, HRTF set, layout or log that the user has given.
        case input
        /// The request: an unknown name, or options that exclude each other.
        case usage
        /// The machine: JACK, ports, permissions, disk.
        case environment
        /// No fault: the user cancelled.
        case interrupted
    }

    /// Origin of the fault.
    package let fault: Fault
    /// The fault, its place and the remedy.
    package let description: String
    /// Change of the command line that avoids the fault; nil if none is known.
    package var remedy: Remedy?
    /// Whether a later attempt with the same command line may succeed, for example once the audio server runs.
    package var mayPass = false

    /// Creates an error with a message for the user.
    package init(_ fault: Fault, _ description: String, remedy: Remedy? = nil) {
        self.fault = fault
        self.description = description
        self.remedy = remedy
    }
}

/// Conversion of the errors of other modules, classified by the origin of the fault. The messages are the modules' own.
extension SessionError {
    /// Converts an error of a layout: to a usage error if another name would help, otherwise to an input error.
    package init(_ error: SoundstageError) {
        switch error {
        case .unknownLayout: self.init(.usage, error.description)
        case .ambiguousChannels(_, let layouts):
            self.init(.input, error.description, remedy: layouts.first.map { Remedy("--layout", $0) })
        case .fileDoesNotFit: self.init(.input, error.description, remedy: Remedy("--layout", nil))
        case .noFurseMalham: self.init(.input, error.description, remedy: Remedy("--ambisonics", "sn3d"))
        default: self.init(.input, error.description)
        }
    }

    /// Converts an error of a sound file to an error of the environment, of usage, of the input, or an interruption.
    package init(_ error: SoundFileError) {
        switch error {
        case .noPermission, .system, .diskFull, .readerEnded, .stopped, .incomplete:
            self.init(.environment, error.description)
        case .unknownFormat(let path, let known):
            self.init(
                .usage, error.description,
                remedy: known.contains(".wav")
                    ? Remedy(replacing: path, by: SoundFileError.stem(of: path) + ".wav") : nil)
        case .missing(let path):
            let near = Self.nearest(path)
            self.init(
                .input, error.description + (near.map { "; the nearest is \($0)" } ?? ""),
                remedy: near.map { Remedy(replacing: path, by: $0) })
        case .endsBefore: self.init(.input, error.description, remedy: Remedy("--from", nil))
        case .unsupportedEncoding, .exists, .beingRecorded, .cutOff, .standardStream:
            self.init(.usage, error.description)
        case .cancelled: self.init(.interrupted, error.description)
        case .wrongChannelCount(_, _, _, let layouts):
            self.init(.input, error.description, remedy: layouts.first.map { Remedy("--layout", $0) })
        default: self.init(.input, error.description)
        }
    }

    /// Returns the path in the same folder whose name is nearest to that of a missing file; nil if none is near.
    private static func nearest(_ path: String) -> String? {
        let begin = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let (folder, name) = (String(path[..<begin]), String(path[begin...]))
        let files = try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)
        return files.flatMap { NearestWord.among($0.sorted(), for: name) }.map { folder + $0 }
    }

    /// Converts an error of a tracker. The error itself states the origin of the fault.
    package init(_ error: TrackerError) {
        switch error.fault {
        case .usage: self.init(.usage, error.description)
        case .input: self.init(.input, error.description)
        case .environment: self.init(.environment, error.description)
        }
    }

    /// Converts an error of a motion or pose log.
    package init(_ error: MotionLogError) {
        switch error {
        case .unreadable(let cause): self.init(cause)
        case .malformed, .camera: self.init(.input, error.description)
        case .take(let cause): self.init(cause)
        case .incomplete: self.init(.environment, error.description)
        }
    }

    /// Converts an error of an HRTF set.
    package init(_ error: HRTFError) {
        switch error {
        case .unknownSet, .options: self.init(.usage, error.description)
        case .notInstalled, .missing, .unwritable, .catalogue, .conversion, .file(.noReader):
            self.init(.environment, error.description)
        case .file(.cancelled): self.init(.interrupted, "interrupted")
        case .file, .implausible, .directions: self.init(.input, error.description)
        }
    }

    /// Converts an error of a room.
    package init(_ error: RoomError) {
        switch error {
        case .unknownRoom, .noSources: self.init(.usage, error.description)
        case .conversion, .file(.noReader): self.init(.environment, error.description)
        case .file(.cancelled): self.init(.interrupted, "interrupted")
        case .file, .implausible, .tooLarge: self.init(.input, error.description)
        }
    }

    /// Converts an error of the JACK server or of a client.
    package init(_ error: JACKError) {
        self.init(error.isUsage ? .usage : .environment, error.description)
        mayPass = error.mayPass
    }

    /// Converts an error of a renderer's configuration.
    package init(_ error: RenderingError) { self.init(.usage, error.description) }

    /// Converts an error of a take: to a usage error if another name is needed, otherwise to one of the environment.
    package init(_ error: TakeError) {
        switch error {
        case .exists, .beingRecorded, .cutOff, .notAFile, .standardStream: self.init(.usage, error.description)
        case .stopped, .noThread, .system: self.init(.environment, error.description)
        }
    }
}

extension JACKError {
    /// Whether a later attempt may succeed, because the server starts or accepts a client then, or the system has a
    /// thread.
    fileprivate var mayPass: Bool {
        switch self {
        case .noServer, .serverGone, .nameTaken, .refused, .noMorePorts, .notActivated, .noThread: true
        default: false
        }
    }

    /// Whether another command line would succeed.
    fileprivate var isUsage: Bool {
        switch self {
        case .invalidName, .noSuchPort: true
        default: false
        }
    }
}

/// Reasons why a stage (a rendering of virtual loudspeakers) is refused, in words for the user.
package enum StageRefusal {
    /// Reason why a programme in a measured room has no width of its own.
    package static func noWidthInRoom(_ name: String) -> String {
        "the sources of '\(name)' are as wide as the loudspeakers measured in this room; give it no width, or another room"
    }

    /// Reason why a loudspeaker in a measured room has no distance of its own.
    package static func noDistanceInRoom(_ name: String) -> String {
        "the loudspeakers of '\(name)' are as far as those measured in this room; give them no distance, or another room"
    }

    /// Reason why a sound field is not folded down during playback.
    package static func noFold(of layout: Layout) -> String {
        "a sound field (\(layout.name)) is not folded down to two channels while it plays ('process --to stereo' does that)"
    }

    /// Reason why a sound field has no width.
    package static func noWidth(of layout: Layout) -> String {
        "a sound field (\(layout.name)) has no sources that could be wide; its recording says how wide things are (voices of an Audio Mix have width: --mix)"
    }

    /// Reason why a distance of voices is refused without an Audio Mix.
    package static let noVoices =
        "the voices that have a distance are those of an Audio Mix: add --mix, or leave out --voice-distance"
}
