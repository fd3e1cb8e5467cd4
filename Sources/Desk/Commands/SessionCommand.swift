import Capture
import HeadTracking
import IMU
import PluginHost
import Racks
import Stages

/// The commands to a running session, the same for all control interfaces.
package enum SessionCommand: Sendable, Equatable {
    /// Makes the present direction of the head the front.
    case recentre(HeadTracker.Recentring)
    /// Sets a parameter of the table.
    case set(ParameterChange)
    /// Resumes after a lost route, or begins or ends an interruption.
    case playback(PlaybackCommand)
    /// Starts or completes a recording of the binaural output, or sets a marker in it.
    case record(RecordCommand)
    /// Carries out a command for the player of a preview; a session alone refuses it.
    case preview(PlayerCommand)
    /// Sets stream time 0 and restarts the stage from silence: at the given JACK frame, or at the next period (nil).
    case start(frame: UInt32?)
    /// Returns the loudness of inputs and ears, or resets integrated loudness, range and maxima.
    case loudness(reset: Bool)
    /// Carries out a command for the plugins.
    case plugin(PluginCommand)
    /// Carries out a command for the calibration of a tracker's mounting.
    case calibration(CalibrationCommand)
    /// Carries out a command for the measurement of a person; a session refuses it.
    case measurement(MeasurementCommand)
    /// Makes a request to a capture; a session refuses it.
    case capture(CaptureRequest)
    /// Starts or cancels the learn mode of a control surface.
    case surface(SurfaceCommand)
    /// Undoes the newest change, or redoes an undone one.
    case history(HistoryCommand)
    /// Returns the state.
    case status
    /// Returns the description of the stage, and the available choices.
    case picture
    /// Ends the session.
    case quit
}

/// Commands for the history of changes.
package enum HistoryCommand: String, Sendable, Equatable, CaseIterable {
    /// Undoes the newest command that changed a value.
    case undo
    /// Redoes the change that was undone last.
    case redo
}

/// Replies of a session.
package enum SessionReply: Sendable {
    /// Done, without a message.
    case done
    /// Done, with a message.
    case told(String)
    /// Stream time 0 was set to this JACK frame, which is heard at `heardAt`, seconds of the monotonic clock.
    case started(frame: UInt32, heardAt: Double)
    /// The state.
    case status(SessionStatus)
    /// The phase of a session without a stage.
    case phase(PhaseStatus)
    /// The description of the stage.
    case picture(StagePicture)
    /// The loudness meters.
    case loudness(LoudnessStatus)
    /// The recording of the binaural output.
    case recording(RecordingStatus)
    /// The plugins, chain by chain.
    case plugins([PluginStatus])
    /// The plugins of this machine.
    case knownPlugins([PluginSummary])
    /// The description of a plugin.
    case plugin(PluginDescription)
    /// Refused, with the reason.
    case refused(String)

    /// Reason for refusals while a session ends.
    package static let ending = "the session is ending"

    /// Whether the reply is `done` or `told`, which mean that the command has taken effect. False for replies with
    /// data.
    package var isDone: Bool {
        switch self {
        case .done, .told: true
        default: false
        }
    }
}

/// Commands for recordings: of the binaural output by a session, of the microphones by a capture.
package enum RecordCommand: Sendable, Equatable {
    /// Starts a take in a file. If the file exists, the take gets the next free number. Nil: the next take under the
    /// last name, which is `ears.wav` before the first take.
    case start(file: String?)
    /// Completes the take.
    case stop
    /// Starts or completes a take; nil toggles. Has no effect if the state is already reached.
    case turn(on: Bool?)
    /// Sets a marker at the sound that is heard now. Nil: the marker's number is its name.
    case marker(name: String?)

    /// Greatest length of a marker's name, bytes; all formats can store it.
    package static let longestName = 250
    /// Greatest length of a file path, bytes.
    package static let longestPath = 4000
    /// Default file of the first take.
    package static let usualFile = "ears.wav"

    /// Returns a marker's name in one line, with single spaces and none at its ends; nil if it is empty or too long.
    package static func name(_ said: String) -> String? {
        let line = said.map { $0.isNewline || $0 == "\t" || $0 == "\0" ? " " : $0 }
        let name = String(line).split(separator: " ").joined(separator: " ")
        return name.isEmpty || name.utf8.count > longestName ? nil : name
    }
}

/// Commands for playback as a whole.
package enum PlaybackCommand: Sendable, Equatable {
    /// Resumes after a lost route, and after interruptions that ended without a resume.
    case resume
    /// Begins or renews an interruption, which ends after `lease` seconds without renewal (nil: it does not end by
    /// itself).
    case beginInterruption(name: String, InterruptionEffect, lease: Double?)
    /// Ends an interruption; without `resumes` its effect stays until the user resumes.
    case endInterruption(name: String, resumes: Bool)

    /// Permitted length of a lease, seconds.
    package static let leases = 0.1...86_400
    /// Greatest length of an interruption's name, bytes.
    package static let longestName = 64
}

/// Commands to a preview, in addition to those to a session.
package enum PlayerCommand: Sendable, Equatable {
    /// Goes to a position in the file, seconds.
    case go(to: Double)
    /// Moves by a time within the file, seconds.
    case seek(by: Double)
    /// Pauses or resumes; nil toggles.
    case pause(Bool?)
    /// Moves by a number of files in the list; negative moves back.
    case skip(Int)
    /// Switches the repetition of the list; nil toggles.
    case loop(Bool?)
    /// Changes the player's gain, dB; the gain stays within −60…20 dB.
    case gain(by: Double)

    /// Whether the command moves the position.
    package var moves: Bool {
        switch self {
        case .go, .seek, .skip: true
        case .pause, .loop, .gain: false
        }
    }

    /// Permitted change of the gain in one command, dB.
    package static let gains = -80.0...80
    /// Permitted changes of position, seconds. Positions are permitted from 0 to the upper bound.
    package static let seconds = -1e6...1e6
}

/// Commands for the calibration of a tracker's mounting while a session runs.
package enum CalibrationCommand: Sendable, Equatable {
    /// Starts a calibration, and discards an unfinished one. `seconds`: length of each movement.
    case start(TrackedBody, seconds: Double)
    /// Starts the next movement.
    case step
    /// Applies and stores the result.
    case accept
    /// Cancels the calibration; the mounting stays as before.
    case cancel

    /// Default length of a movement, seconds.
    package static let usualSeconds = MountingCourse.usualSeconds
    /// Permitted length of a movement, seconds.
    package static let seconds = MountingCourse.seconds
}

/// Commands for the measurement of a person, which `measure me` carries out.
package enum MeasurementCommand: Sendable, Equatable {
    /// Begins the take for which the person has got ready.
    case begin
    /// Records the present look again, or between takes the last one.
    case again
    /// Leaves the present look out.
    case skip
    /// Ends the measurement; its good takes stay.
    case stop
}

/// Commands that the control interfaces carry out themselves. The value is the command's address.
package enum DoorCommand: String, Sendable, Equatable, CaseIterable {
    /// Sends the state to the sender periodically.
    case watch
    /// Sends every new value.
    case subscribe
    /// Ends a subscription.
    case unsubscribe
    /// Opens the control interface to a sender on another machine.
    case token
}
