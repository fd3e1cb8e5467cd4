import AudioIO
import Desk
import HeadTracking
import Loading
import SavedSessions
import Soundstage
import Stages
import Takes
import Trackers

/// What `run` was asked to do.
package struct LiveSettings: Sendable {
    /// The sound.
    package var stage: StageSettings
    /// The main programme's loudspeakers in channel order, where a file says so; nil: the stage's own layout.
    package var programme: Layout?
    /// What is known of the main programme beside its samples, and the file that says so; nil: nothing.
    package var metadata: (known: ProgrammeMetadata, source: String)?
    /// The trackers.
    package var tracking: TrackingSettings
    /// A pose log's path instead of trackers.
    package var poses: String?
    /// A motion log's path instead of trackers.
    package var motion: String?
    /// A JACK MIDI port whose pedal or key recentres, in the words of the command line; nil: none.
    package var midiControl: String?
    /// What hears and sends MIDI by ports of the session's own client; nil: it has no such ports.
    package var events: StageMIDI?
    /// JACK client name.
    package var name: String
    /// Which ports the ears are connected to; nil: none.
    package var connectOut: String?
    /// Which ports the inputs are connected to, in order; nil: none.
    package var connectIn: String?
    /// Where the ears are recorded.
    package var record: String?
    /// Where the rendered poses are recorded.
    package var recordPoses: String?
    /// Where the session's motion is recorded.
    package var recordMotion: String?
    /// Which files of their names recordings replace; others are refused.
    package var replacement = Replacement.nothing
    /// Asked while the session begins, where that takes time: whether it is still wanted. Any thread.
    package var isWanted: @Sendable () -> Bool = { true }
    /// How it goes on with what was set when the last session of its name played; nil: it does not.
    package var last: LastValuesRequest?
    /// What a session's folder says of its values; nil: there is none, or it is not asked for.
    package var former: FormerValues?
    /// Whether connections of a former session are made again.
    package var reconnects = false
    /// What is asked of the monitor section before it begins.
    package var listening: [ParameterChange] = []
    /// What sets stream time 0.
    package var start: StartPolicy
    /// What happens when the ears' ports are gone.
    package var onRouteLoss: RouteLossPolicy

    /// All choices.
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

    /// Throws where the session is not wanted any more.
    func ensureWanted() throws(SessionError) {
        if !isWanted() { throw SessionError(.interrupted, "interrupted") }
    }
}
