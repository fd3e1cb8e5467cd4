import HeadTracking
import PluginHost
import Racks
import Stages

/// What a control surface can ask of a running session; every binding (OSC, keys, command line) speaks this one set.
package enum SessionCommand: Sendable, Equatable {
    /// Makes where the head points now the front.
    case recentre(HeadTracker.Recentring)
    /// Sets a parameter of the table.
    case set(ParameterChange)
    /// Goes on after a lost route, or gives an interruption the stage and takes it back.
    case playback(PlaybackCommand)
    /// Begins or ends a recording of the ears, or sets a marker in it.
    case record(RecordCommand)
    /// Moves within the files of a preview, or holds them.
    case preview(PlayerCommand)
    /// Sets stream time 0 and silent history: at the JACK frame given, else with the next period.
    case start(frame: UInt32?)
    /// Asks for the loudness of inputs and ears, or begins integrated loudness, range and maxima anew.
    case loudness(reset: Bool)
    /// Does something with the plugins.
    case plugin(PluginCommand)
    /// Does something with the calibration of a tracker's mounting.
    case calibration(CalibrationCommand)
    /// Has a control surface learn what its controls move.
    case surface(SurfaceCommand)
    /// Undoes the newest change, or does again what was undone.
    case history(HistoryCommand)
    /// Asks for the state.
    case status
    /// Asks what the stage looks like, and what it could be in its place.
    case picture
    /// Ends the session.
    case quit
}

/// What can be asked of the history of commands.
package enum HistoryCommand: String, Sendable, Equatable, CaseIterable {
    /// Undoes the newest command that changed something.
    case undo
    /// Does again what was undone last.
    case redo
}

/// What a session answers.
package enum SessionReply: Sendable {
    /// Done; nothing to tell.
    case done
    /// Done, with a remark.
    case told(String)
    /// Stream time 0 was this JACK frame; it is heard at `heardAt`, seconds of the monotonic clock.
    case started(frame: UInt32, heardAt: Double)
    /// The state.
    case status(SessionStatus)
    /// The state where there is no stage that could be asked.
    case phase(PhaseStatus)
    /// What the stage looks like.
    case picture(StagePicture)
    /// The loudness meters.
    case loudness(LoudnessStatus)
    /// The recording of the ears.
    case recording(RecordingStatus)
    /// The plugins, chain by chain.
    case plugins([PluginStatus])
    /// The plugins of this machine.
    case knownPlugins([PluginSummary])
    /// What a plugin is.
    case plugin(PluginDescription)
    /// Not done, and why.
    case refused(String)

    /// Why a session that ends does nothing more.
    package static let ending = "the session is ending"

    /// Whether what was asked for is in force now.
    package var isDone: Bool {
        switch self {
        case .done, .told: true
        default: false
        }
    }
}

/// What can be asked of playback as a whole.
package enum PlaybackCommand: Sendable, Equatable {
    /// Goes on after a lost route, and after interruptions that ended without a resume.
    case resume
    /// An interruption asks for the stage; after `lease` seconds without asking again it is given back.
    case beginInterruption(name: String, InterruptionEffect, lease: Double?)
    /// An interruption gives the stage back; without `resumes` what it did stays until the user resumes.
    case endInterruption(name: String, resumes: Bool)

    /// Seconds that a lease may last.
    package static let leases = 0.1...86_400
    /// Characters of an interrupter's name at most.
    package static let longestName = 64
}

/// What a control surface can ask of a preview, beside all that it can ask of a session.
package enum PlayerCommand: Sendable, Equatable {
    /// Goes to so many seconds into the file.
    case go(to: Double)
    /// Moves by so many seconds, within the file.
    case seek(by: Double)
    /// Pauses, goes on, or (nil) does the other.
    case pause(Bool?)
    /// Goes to a file further on (or back, < 0) in the list.
    case skip(Int)
    /// Lets the list begin again when it ends, or not, or (nil) the other of the two.
    case loop(Bool?)
    /// Changes the player's gain by so many dB; it stays within −60…20 dB.
    case gain(by: Double)

    /// dB that the gain can be changed by at a time.
    package static let gains = -80.0...80
    /// Seconds that can be asked for: no file is longer.
    package static let seconds = -1e6...1e6
}

/// What a command is about: a later one about the same takes its place.
package struct CommandSubject: Hashable, Sendable {
    /// The parameter or question.
    package var word: String
    /// Whether a parameter is given a word instead of numbers: it keeps its own place.
    package var isWord = false
    /// The input it is said to; nil: all, or the session.
    package var input: String?
    /// Whether it is only asked for.
    package var isQuestion = false

    /// Whether the order of the two matters: one is said to all inputs and the other to one of them, or both say
    /// something of the same thing (`upmix` and `upmix-centre`, a level and `off`).
    package func overlaps(_ other: CommandSubject) -> Bool {
        self != other && family == other.family && (input == nil || other.input == nil || input == other.input)
    }

    /// What its name begins with.
    private var family: Substring { word.prefix { $0 != "-" } }
}

extension SessionCommand {
    /// What a command is about, where a later one about the same makes it superfluous; nil where each must be carried
    /// out.
    package var subject: CommandSubject? {
        switch self {
        case .set(let change): change.subject
        case .status: CommandSubject(word: "status", isQuestion: true)
        case .picture: CommandSubject(word: "picture", isQuestion: true)
        case .loudness(reset: false): CommandSubject(word: "loudness", isQuestion: true)
        case .plugin(.list): CommandSubject(word: "plugin", isQuestion: true)
        case .plugin(.known): CommandSubject(word: "plugin/known", isQuestion: true)
        case .loudness, .recentre, .playback, .record, .preview, .plugin, .calibration, .surface, .start, .history,
            .quit:
            nil
        }
    }
}

extension ParameterChange {
    /// What it is about; nil for what depends on the order in which it is said.
    fileprivate var subject: CommandSubject? {
        switch parameter.effect {
        // A target needs a loudness that was said before it.
        case .dynamics, .stage, .staging: nil
        // A reference level sets the monitor's level.
        case .monitor where ["reference-level", "calibrated-level"].contains(parameter.id): nil
        case .controls, .upmix, .tracking, .room, .headphones, .monitor, .loudspeaker, .listening:
            // Turned twice is not turned once.
            if value == .word("toggle") {
                nil
            } else {
                CommandSubject(word: parameter.id, isWord: !value.word.isEmpty, input: input)
            }
        }
    }
}
