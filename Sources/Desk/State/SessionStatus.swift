import AudioIO
import Racks
import Stages

/// The state of a running session at one moment, as `ctl status --json` and the status line show it.
package struct SessionStatus: Codable, Sendable {
    /// The phase of the session.
    package var phase = SessionPhase.running
    /// The step in preparation after the server has returned, for example `preparing the room 'studio'`; nil without
    /// one.
    package var preparing: String?
    /// Seconds since that step began.
    package var preparingFor: Double?
    /// JACK client name.
    package var client: String
    /// Name of the layout.
    package var layout: String
    /// Name of the HRTF set in use.
    package var hrtf: String
    /// Status of the inputs. If a sound field plays, its status is the last.
    package var programmes: [ProgrammeStatus]
    /// The room; nil if none is loaded.
    package var room: RoomStatus?
    /// The headphones' equalisation; nil if none is loaded.
    package var headphones: HeadphoneStatus?
    /// Sample rate, Hz.
    package var sampleRate: Double
    /// Frames per JACK period.
    package var period: Int
    /// Frames per slice.
    package var slice: Int
    /// Frames since stream time 0.
    package var streamFrame: Int64
    /// JACK's frame clock; it wraps after 2³² frames.
    package var jackFrame: UInt32
    /// Time at which `streamFrame` is heard, seconds of the host's monotonic clock. Stream time stands still while JACK
    /// skips periods. This value and `streamFrame` together assign each sound to its time. Both are 0 during a blind
    /// comparison.
    package var heardAt: Double
    /// Frames of latency between input and output.
    package var latencyFrames: Int
    /// Mode of head tracking: `waiting`, `relative`, `head only`, `held`, `front` or `static`, which is also the mode
    /// without a head tracker; `log` if a log supplies the pose.
    package var mode: String
    /// Yaw of the head relative to the stage, degrees, positive to the left.
    package var yaw: Double
    /// Pitch likewise, degrees, positive up.
    package var pitch: Double
    /// Roll likewise, degrees, positive with the right ear down.
    package var roll: Double
    /// Standard deviation of the yaw since the last recentring, degrees, if raw IMUs are tracked; 0 otherwise.
    package var yawDeviation: Double
    /// Report of the head's tracker; nil without one.
    package var head: TrackerReport?
    /// Report of the device's tracker; nil without one.
    package var device: TrackerReport?
    /// Peak meter of each input channel, dBFS (−200 for silence); falls by 20 dB in 1.7 s. Empty during a blind
    /// comparison.
    package var inputPeaks: [Double]
    /// Peak meter of each ear, dBFS, likewise.
    package var outputPeaks: [Double]
    /// Loudness of inputs and ears; nil while the session begins or ends, and during a blind comparison.
    package var loudness: LoudnessStatus?
    /// Gain of the output limiter as its meter shows it, dB; 0 without limiting.
    package var gainReduction: Double
    /// Whether a sample beyond full scale reached the output limiter since the start.
    package var clipped: Bool
    /// Count of input samples that were replaced; see `Samples.cleanse`.
    package var nonFiniteSamples: Int
    /// Time that the renderer needed for the newest period, divided by the length of that period.
    package var load: Double
    /// The mean of `load` over about two seconds, and its maximum in the last 10 to 20 s, of values read 4 to 20 times
    /// per second. Nil before the first value, during a blind comparison, and in replies of older sessions.
    package var loadMean: Double?, loadMaximum: Double?
    /// JACK's count of overruns and underruns.
    package var xruns: Int
    /// Frames by which JACK's clock advanced without a call of the client.
    package var skippedFrames: Int
    /// Steps of the delay between programme and ears (see `LagSteps`), counted by the present client.
    package var lagSteps = LagSteps()
    /// Whether JACK is freewheeling.
    package var freewheeling: Bool
    /// Frames that the recorder lost because its buffer was full.
    package var recorderLost: Int
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

    /// Creates a status; see the properties.
    package init(
        phase: SessionPhase = SessionPhase.running, preparing: String? = nil, preparingFor: Double? = nil,
        client: String, layout: String, hrtf: String, programmes: [ProgrammeStatus], room: RoomStatus? = nil,
        headphones: HeadphoneStatus? = nil, sampleRate: Double, period: Int, slice: Int, streamFrame: Int64,
        jackFrame: UInt32, heardAt: Double, latencyFrames: Int, mode: String, yaw: Double, pitch: Double,
        roll: Double, yawDeviation: Double, head: TrackerReport? = nil, device: TrackerReport? = nil,
        inputPeaks: [Double], outputPeaks: [Double], loudness: LoudnessStatus? = nil, gainReduction: Double,
        clipped: Bool, nonFiniteSamples: Int, load: Double, xruns: Int, skippedFrames: Int, freewheeling: Bool,
        recorderLost: Int, plugins: [PluginStatus] = [], recordings: [RecordingStatus] = [],
        recordingsFolder: String? = nil, scene: String? = nil, scenes: [String] = [],
        monitor: MonitorStatus = MonitorStatus(), playback: PlaybackStatus = PlaybackStatus(),
        serverGoneFor: Double? = nil, panel: String? = nil, control: ControlCounts? = nil
    ) {
        (self.phase, self.preparing, self.preparingFor, self.client) = (phase, preparing, preparingFor, client)
        (self.layout, self.hrtf, self.programmes, self.room) = (layout, hrtf, programmes, room)
        (self.headphones, self.sampleRate, self.period, self.slice) = (headphones, sampleRate, period, slice)
        (self.streamFrame, self.jackFrame, self.heardAt, self.latencyFrames) = (
            streamFrame, jackFrame, heardAt, latencyFrames
        )
        (self.mode, self.yaw, self.pitch, self.roll) = (mode, yaw, pitch, roll)
        (self.yawDeviation, self.head, self.device, self.inputPeaks) = (yawDeviation, head, device, inputPeaks)
        (self.outputPeaks, self.loudness, self.gainReduction, self.clipped) = (
            outputPeaks, loudness, gainReduction, clipped
        )
        (self.nonFiniteSamples, self.load, self.xruns, self.skippedFrames) = (
            nonFiniteSamples, load, xruns, skippedFrames
        )
        (self.freewheeling, self.recorderLost, self.plugins, self.recordings) = (
            freewheeling, recorderLost, plugins, recordings
        )
        (self.recordingsFolder, self.scene, self.scenes, self.monitor) = (recordingsFolder, scene, scenes, monitor)
        (self.playback, self.serverGoneFor, self.panel, self.control) = (playback, serverGoneFor, panel, control)
    }
}

/// The room of a running session.
package struct RoomStatus: Codable, Sendable {
    /// Name of the room.
    package var name: String
    /// Whether the room is on; the stage is dry without it.
    package var isOn: Bool

    /// Creates a status; see the properties.
    package init(
        name: String, isOn: Bool
    ) {
        (self.name, self.isOn) = (name, isOn)
    }
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
