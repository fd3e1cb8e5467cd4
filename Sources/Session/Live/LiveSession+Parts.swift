import AudioIO
import Desk
import Loading
import MotionLogs
import Stages
import Trackers

/// The state of a session beside its stages, in groups.
extension LiveSession {
    /// State of the listener, which outlives stages and servers, and measurements of the sound.
    struct Sound {
        /// Settings of the monitor section.
        var monitoring = MonitorSettings()
        /// Watch for a listener who looks away.
        var away = AwayWatch()
        /// Whether the room plays, if the stage has one.
        var playsRoom = true
        /// Whether the headphones' equalisation is on, if one is loaded.
        var equalises = true
        /// Loudness and dynamics settings of the programmes, by name.
        var dynamics: [String: DynamicsSettings] = [:]
        /// Loudness, place, width and content of the main programme as applied at the start, one fact a line.
        var levels: [String] = []
        /// The loudness meters.
        var monitor: LoudnessMonitor?
        /// The heard stage's load over time.
        var load = LoadMeter()
        /// Remarks made so far on the sound field's scale.
        var remarkedScales: Set<String> = []
        /// Threads that compare the renditions of a programme, by the programme's index.
        var watches: [Int: RenditionWatch] = [:]
    }

    /// History for undo.
    struct Undo {
        /// The undo steps.
        var history = SessionHistory()
        /// Number of changes of plugins that change no value at an address.
        var pluginChanges = 0
        /// Number of plugin commands in progress.
        var pluginWork = 0
    }

    /// State taken over from an earlier session, and kept for the next.
    struct Memory {
        /// The values taken over, and the result of setting each.
        var inheritance = Inheritance()
        /// Path of the file that keeps the set values for the next session of this name; nil if they are not kept.
        var lastValuesPath: String?
        /// Values of a session's folder that could not be set before the stage played.
        var unopened: SessionValues = [:]
    }

    /// Last known state of the server, and the connections to it.
    struct Server {
        /// The outage, from the loss of the server until its return.
        var outage: ServerOutage?
        /// Whether the session itself builds a new stage when the server returns or changes its rate. Otherwise the
        /// loss of the server ends the session, and after a change of rate the caller creates another session.
        var followsRate = true
        /// Position of the server's transport at the last poll, and the frame of the server's clock at that time.
        var transport: (at: ServerTransport, frame: UInt32)?
        /// Whether the server runs in freewheel mode, as fast as it can render.
        var freewheeling = false
        /// Whether the server runs at another rate than this session's stage, and the session does not follow it.
        var isOutrun = false
        /// Connections of an earlier client that are not restored yet.
        var returning = ReturningConnections()
        /// Whether the sound is heard late, and this has been noted.
        var hearsLate = false
        /// Steps of the delay (`LagSteps`) that were noted, and the time of the last note, seconds of the session's
        /// clock.
        var toldLag = LagSteps()
        var lagToldAt = -Double.infinity
        /// Called when a connection was made or broken; nil without a listener.
        var hearsLinks: (@Sendable () -> Void)?
        /// Reads the pedal or key that recentres; nil without one.
        var midi: MIDIControl?
        /// Task that handles the present driver's events.
        var listening: Task<Void, Never>?
    }

    /// State of the session's end.
    struct Life {
        /// Error that ends the session; nil while it runs or if it was ended by command.
        var ending: SessionError?
        /// Whether the end was requested, or an error ends the session.
        var hasEnded = false
        /// Continuation of `waitForEnd`.
        var waiting: CheckedContinuation<Void, Never>?
        /// Whether all is closed, or being closed.
        var isOver = false
        /// Timer that handles changes without an event: every 50 ms, or every 250 ms in a quiet session.
        var looking: SessionBeat?
        /// Whether the timer has the interval of a quiet session.
        var isResting = false
        /// Time of the last command or event, seconds of the session's clock.
        var lastChange = 0.0
    }
}
