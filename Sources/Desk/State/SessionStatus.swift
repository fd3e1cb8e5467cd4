import AudioIO
import Geometry
import Racks
import Stages

/// The state of a running session at one moment, as `ctl status --json` and the status line show it.
package struct SessionStatus: Codable, Sendable {
    /// Version of the commands that a session of this program answers. It is raised when a command is added that
    /// clients request. 1: `state` is answered.
    package static let newestControl = 1

    /// The phase of the session.
    package var phase = SessionPhase.running
    /// Version of the commands that the session answers; nil in replies of sessions that do not know `state`.
    package var controlVersion: Int?
    /// The step in preparation after the server has returned, for example `preparing the room 'studio'`; nil without
    /// one.
    package var preparing: String?
    /// Seconds since that step began.
    package var preparingFor: Double?
    /// JACK client name.
    package var client = ""
    /// Name of the layout.
    package var layout = ""
    /// Name of the HRTF set in use.
    package var hrtf = ""
    /// Status of the inputs. If a sound field plays, its status is the last.
    package var programmes: [ProgrammeStatus] = []
    /// The room; nil if none is loaded.
    package var room: RoomStatus?
    /// The headphones' equalisation; nil if none is loaded.
    package var headphones: HeadphoneStatus?
    /// Sample rate, Hz.
    package var sampleRate = 0.0
    /// Frames per JACK period.
    package var period = 0
    /// Frames per slice.
    package var slice = 0
    /// Frames since stream time 0.
    package var streamFrame: Int64 = 0
    /// JACK's frame clock; it wraps after 2³² frames.
    package var jackFrame: UInt32 = 0
    /// Time at which `streamFrame` is heard, seconds of the host's monotonic clock. Stream time stands still while JACK
    /// skips periods. This value and `streamFrame` together assign each sound to its time. Both are 0 during a blind
    /// comparison.
    package var heardAt = 0.0
    /// Frames of latency between input and output.
    package var latencyFrames = 0
    /// Mode of head tracking: `waiting`, `relative`, `head only`, `held`, `front` or `static`, which is also the mode
    /// without a head tracker; `log` if a log supplies the pose.
    package var mode = "static"
    /// Yaw of the head relative to the stage, degrees, positive to the left.
    package var yaw = 0.0
    /// Pitch likewise, degrees, positive up.
    package var pitch = 0.0
    /// Roll likewise, degrees, positive with the right ear down.
    package var roll = 0.0
    /// Standard deviation of the yaw since the last recentring, degrees, if raw IMUs are tracked; 0 otherwise.
    package var yawDeviation = 0.0
    /// Report of the head's tracker; nil without one.
    package var head: TrackerReport?
    /// Report of the device's tracker; nil without one.
    package var device: TrackerReport?
    /// Peak meter of each input channel, dBFS (−200 for silence); falls by 20 dB in 1.7 s. Empty during a blind
    /// comparison.
    package var inputPeaks: [Double] = []
    /// Peak meter of each ear, dBFS, likewise.
    package var outputPeaks: [Double] = []
    /// Loudness of inputs and ears; nil while the session begins or ends, and during a blind comparison.
    package var loudness: LoudnessStatus?
    /// Gain of the output limiter as its meter shows it, dB; 0 without limiting.
    package var gainReduction = 0.0
    /// Whether a sample beyond full scale reached the output limiter since the start.
    package var clipped = false
    /// Count of input samples that were replaced; see `Samples.cleanse`.
    package var nonFiniteSamples = 0
    /// Time that the renderer needed for the newest period, divided by the length of that period.
    package var load = 0.0
    /// The mean of `load` over about two seconds, and its maximum in the last 10 to 20 s, of values read 4 to 20 times
    /// per second. Nil before the first value, during a blind comparison, and in replies of older sessions.
    package var loadMean: Double?, loadMaximum: Double?
    /// JACK's count of overruns and underruns.
    package var xruns = 0
    /// Frames by which JACK's clock advanced without a call of the client.
    package var skippedFrames = 0
    /// Steps of the delay between programme and ears (see `LagSteps`), counted by the present client.
    package var lagSteps = LagSteps()
    /// Whether JACK is freewheeling.
    package var freewheeling = false
    /// Frames that the recorder lost because its buffer was full.
    package var recorderLost = 0
    /// Status of the plugins, chain by chain.
    package var plugins: [PluginStatus] = []
    /// Status of the recordings.
    package var recordings: [RecordingStatus] = []
    /// Folder of the takes that control interfaces start; nil if neither an option nor a home folder states one.
    package var recordingsFolder: String?
    /// The scene that plays; nil during a blind comparison.
    package var scene: String?
    /// Names of all scenes.
    package var scenes: [String] = []
    /// State of the monitor section.
    package var monitor = MonitorStatus()
    /// Output connections of the ears, and the interruptions in force.
    package var playback = PlaybackStatus()
    /// Seconds since the loss of the JACK server; nil while it runs.
    package var serverGoneFor: Double?
    /// URL of the panel, without the token; nil if none is served.
    package var panel: String?
    /// Counts of commands and messages on the control interfaces; nil in replies that bypass the command queue.
    package var control: ControlCounts?

    /// Creates the status of a session at rest, without names.
    package init() {}

    /// Sets the angles of the head relative to the stage.
    package mutating func point(to headToStage: Quaternion) {
        let degrees = 180 / Double.pi
        (yaw, pitch, roll) = (headToStage.yaw * degrees, headToStage.pitch * degrees, headToStage.roll * degrees)
    }
}

/// The room of a running session.
package struct RoomStatus: Codable, Sendable {
    /// Name of the room.
    package var name: String
    /// Whether the room is on; the stage is dry without it.
    package var isOn: Bool

    /// Creates a status; see the properties.
    package init(name: String, isOn: Bool) { (self.name, self.isOn) = (name, isOn) }
}

/// Counts of messages on the control interfaces of a session since its start, and of their outcomes.
package struct ControlCounts: Codable, Sendable, Equatable {
    /// Messages read: datagrams, packets of OSC over TCP, and JSON requests.
    package var received = 0
    /// Messages that could not be read.
    package var malformed = 0
    /// Datagrams that the kernel discarded before they could be read.
    package var lost = 0
    /// Commands whose turn came, including those that the session then refused, except those in `refused`.
    package var performed = 0
    /// Numbers for a parameter that a later number replaced before they were carried out.
    package var superseded = 0
    /// Queries that were repeated while the first one waited; one reply answered them all.
    package var shared = 0
    /// Commands refused because the queue was full, or because no session could carry them out yet.
    package var refused = 0
    /// Those of `superseded` and `shared` that got no reply because a limit of waiting clients or replies was reached.
    package var unanswered = 0
    /// Requests and connections that the web interface refused: foreign origin or host name, missing token, invalid
    /// HTTP or WebSocket, too large, too slow, or no free connection.
    package var turnedAway = 0

    /// Creates counts of zero.
    package init() {}
}
