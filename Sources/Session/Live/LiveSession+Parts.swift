import AudioIO
import Desk
import Loading
import MotionLogs
import Stages
import Trackers

/// What a session has beside its stages, by what it is for.
extension LiveSession {
    /// What belongs to the listener and outlives stages and servers, and what is measured of the sound.
    struct Sound {
        /// What is asked of the monitor section.
        var monitoring = MonitorSettings()
        /// Whether the room plays, where there is one.
        var playsRoom = true
        /// Whether the headphones' equalisation is heard, where there is one.
        var equalises = true
        /// What is said of the programmes' loudness and dynamics, by name.
        var dynamics: [String: DynamicsSettings] = [:]
        /// What was done to the main programme's level, place and width before it began, one fact a line.
        var levels: [String] = []
        /// The loudness meters.
        var monitor: LoudnessMonitor?
        /// What was told of the sound field's scale.
        var remarkedScales: Set<String> = []
        /// The threads that compare the renditions of a programme, by its place.
        var watches: [Int: RenditionWatch] = [:]
    }

    /// What was done, to be undone.
    struct Undo {
        /// The steps.
        var history = SessionHistory()
        /// How many things were done to plugins that show at no address.
        var pluginChanges = 0
        /// Commands to plugins under way.
        var pluginWork = 0
    }

    /// What a session before this one left, and what is kept for the next.
    struct Memory {
        /// The values that were given, and what became of them.
        var inheritance = Inheritance()
        /// Where it is kept what was set, for the next session of this name; nil where it does not come back.
        var lastValuesPath: String?
        /// What a session's folder says and could not be had before the stage played.
        var unopened: SessionValues = [:]
    }

    /// The server as it was seen last, and the connections to it.
    struct Server {
        /// Since it went, until it is back.
        var outage: ServerOutage?
        /// Whether a stage is built for another rate of it; else the owner of this session builds another.
        var followsRate = true
        /// Where the server's transport was at the last look, and at which frame of its clock that was.
        var transport: (at: ServerTransport, frame: UInt32)?
        /// Whether the server renders as fast as it can.
        var freewheeling = false
        /// Whether it runs at another rate than this session's stage, which is not followed.
        var isOutrun = false
        /// Connections that there were before the server went, until they stand again.
        var returning = ReturningConnections()
        /// Told when connections came or went.
        var hearsLinks: (@Sendable () -> Void)?
        /// Hears the pedal or key that recentres, where there is one.
        var midi: MIDIControl?
        /// Hears the present driver's events.
        var listening: Task<Void, Never>?
    }

    /// How long the session goes on.
    struct Life {
        /// Why it cannot go on; nil: by the user's word, or it goes on.
        var ending: SessionError?
        /// Whether it was asked to end, or cannot go on.
        var hasEnded = false
        /// Waits for the end.
        var waiting: CheckedContinuation<Void, Never>?
        /// Whether all is closed.
        var isOver = false
        /// Looks every 50 ms at what no event tells.
        var looking: SessionBeat?
    }
}
