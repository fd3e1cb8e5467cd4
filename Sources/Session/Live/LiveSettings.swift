import AudioIO
import Desk
import HeadTracking
import Loading
import SavedSessions
import Soundstage
import Stages
import Takes
import Trackers

/// Settings of a live session, as given to `run`.
package struct LiveSettings: Sendable {
    /// Settings of the stage.
    package var stage: StageSettings
    /// The main programme's loudspeakers in channel order, if a file states them; nil: the layout of `stage`.
    package var programme: Layout?
    /// Metadata of the main programme, and the file they come from; nil without any.
    package var metadata: (known: ProgrammeMetadata, source: String)?
    /// Settings of the trackers.
    package var tracking: TrackingSettings
    /// Path of a pose log that replaces the trackers; nil without one.
    package var poses: String?
    /// Path of a motion log that replaces the trackers; nil without one.
    package var motion: String?
    /// JACK MIDI port whose pedal or key recentres, as on the command line; nil without one.
    package var midiControl: String?
    /// MIDI input and output on ports of the session's own client; nil without such ports.
    package var events: StageMIDI?
    /// JACK client name.
    package var name: String
    /// Pattern of the ports to which the outputs are connected; nil: not connected.
    package var connectOut: String?
    /// Pattern of the ports that are connected to the inputs, in order; nil: not connected.
    package var connectIn: String?
    /// File for the binaural output; nil: not recorded.
    package var record: String?
    /// File for the rendered poses; nil: not recorded.
    package var recordPoses: String?
    /// File for the session's motion log; nil: not recorded.
    package var recordMotion: String?
    /// Existing files that recordings may replace; a recording onto any other file is refused.
    package var replacement = Replacement.nothing
    /// Returns whether the session is still wanted. May be called on any thread, during the slow steps of the start.
    package var isWanted: @Sendable () -> Bool = { true }
    /// Request to take over the last values set under the session's name; nil without one.
    package var last: LastValuesRequest?
    /// Values from a session's folder; nil without any.
    package var former: SessionValues?
    /// Whether connections of a former session are made again.
    package var reconnects = false
    /// Changes of the monitor section applied before the start.
    package var listening: [ParameterChange] = []
    /// Event that sets stream time 0.
    package var start: StartPolicy
    /// Whether steps of the delay between programme and ears (`LagSteps`) are noted.
    package var tellsLag = false
    /// Policy for the loss of the output ports.
    package var onRouteLoss: RouteLossPolicy

    /// Sets these fields. The others keep their defaults.
    package init(
        stage: StageSettings, tracking: TrackingSettings = TrackingSettings(), poses: String? = nil,
        midiControl: String? = nil,
        motion: String? = nil,
        name: String = "proscenium", connectOut: String? = nil, connectIn: String? = nil,
        record: String? = nil, recordPoses: String? = nil,
        recordMotion: String? = nil,
        start: StartPolicy = .firstCycle, onRouteLoss: RouteLossPolicy = .patch
    ) {
        self.stage = stage
        self.tracking = tracking
        self.poses = poses
        self.motion = motion
        self.midiControl = midiControl
        self.name = name
        self.connectOut = connectOut
        self.connectIn = connectIn
        self.record = record
        self.recordPoses = recordPoses
        self.recordMotion = recordMotion
        self.start = start
        self.onRouteLoss = onRouteLoss
    }

    /// Throws if the session is no longer wanted.
    func ensureWanted() throws(SessionError) {
        if !isWanted() { throw SessionError(.interrupted, "interrupted") }
    }
}
