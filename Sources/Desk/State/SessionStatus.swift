import Racks
import Stages

/// The state of a running session at one moment, as `ctl status --json` and the status line show it.
package struct SessionStatus: Codable, Sendable {
    /// How far it has come.
    package var phase = SessionPhase.running
    /// What is being prepared for a server that is back, as `preparing the room 'studio'`; nil: nothing is.
    package var preparing: String?
    /// Seconds for which that has been going on.
    package var preparingFor: Double?
    /// JACK client name.
    package var client: String
    /// Name of the layout.
    package var layout: String
    /// Name of the HRTF set in use.
    package var hrtf: String
    /// The inputs, and last the sound field where one plays.
    package var programmes: [ProgrammeStatus]
    /// The room; nil where none is loaded.
    package var room: RoomStatus?
    /// The headphones' equalisation; nil where none is loaded.
    package var headphones: HeadphoneStatus?
    /// Hertz.
    package var sampleRate: Double
    /// Frames per JACK period.
    package var period: Int
    /// Frames per slice.
    package var slice: Int
    /// Frames since stream time 0.
    package var streamFrame: Int64
    /// JACK's frame clock; it wraps after 2³² frames.
    package var jackFrame: UInt32
    /// When `streamFrame` is heard, seconds of the host's monotonic clock. Where JACK skips periods the stream stands
    /// still and the world goes on: from this and `streamFrame` one tells which sound belongs to which moment.
    package var heardAt: Double
    /// Frames of latency between input and output.
    package var latencyFrames: Int
    /// How the pose comes about: what head tracking does (`waiting`, `relative`, `head only`, `held`, `front` or
    /// `static`), `static` too where there is no head tracker, or `log` where a log says it.
    package var mode: String
    /// Head against stage, degrees: positive left, up, right ear down.
    package var yaw: Double
    /// Positive looks up.
    package var pitch: Double
    /// Positive lowers the right ear.
    package var roll: Double
    /// How sure the yaw is where raw IMUs are tracked, degrees: one standard deviation since the last recentring;
    /// 0 else.
    package var yawDeviation: Double
    /// The head's tracker; nil if none was asked for.
    package var head: TrackerReport?
    /// The device's tracker; nil if none was asked for.
    package var device: TrackerReport?
    /// Peak meter of each input, dBFS (−200 for silence); falls by 20 dB in 1.7 s.
    package var inputPeaks: [Double]
    /// Peak meter of each ear, dBFS, likewise.
    package var outputPeaks: [Double]
    /// Loudness of inputs and ears; nil while the session begins or ends.
    package var loudness: LoudnessStatus?
    /// The output guard's gain as its meter shows it, dB (0: passes untouched).
    package var gainReduction: Double
    /// Whether a sample beyond full scale reached the output guard since start.
    package var clipped: Bool
    /// Input samples that were replaced, see `Samples.cleanse`.
    package var nonFiniteSamples: Int
    /// Share of the period the renderer needed, 0…1, newest period.
    package var load: Double
    /// JACK's count of overruns and underruns.
    package var xruns: Int
    /// Frames JACK's clock ran on without the client being called.
    package var skippedFrames: Int
    /// Whether JACK is freewheeling.
    package var freewheeling: Bool
    /// Frames the recorder had no room for.
    package var recorderLost: Int
    /// The plugins, chain by chain.
    package var plugins: [PluginStatus] = []
    /// What is recorded.
    package var recordings: [RecordingStatus] = []
    /// Where takes go that are begun by the doors; nil: nowhere, for want of a home folder.
    package var recordingsFolder: String?
    /// The scene that is heard; nil during a blind comparison.
    package var scene: String?
    /// Names of all scenes there are.
    package var scenes: [String] = []
    /// What is listened to, and how loud.
    package var monitor = MonitorStatus()
    /// Where the ears go, and which interruptions have the stage.
    package var playback = PlaybackStatus()
    /// Seconds for which the JACK server has been gone; nil while it is there.
    package var serverGoneFor: Double?
    /// Where the panel is (URL, without the token); nil: none is served.
    package var panel: String?
    /// What came in through the doors; nil in answers that do not come through the queue of commands.
    package var control: ControlCounts?

    /// A state; see the properties.
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
    /// What it is.
    package var name: String
    /// Whether it plays; else the stage is dry.
    package var isOn: Bool

    /// All of it; see the properties.
    package init(
        name: String, isOn: Bool
    ) {
        (self.name, self.isOn) = (name, isOn)
    }
}

/// What came in through the doors of a session and what became of it, since it began.
package struct ControlCounts: Codable, Sendable, Equatable {
    /// Datagrams read.
    package var received = 0
    /// Datagrams that were no command's bytes.
    package var malformed = 0
    /// Datagrams the kernel threw away before they could be read.
    package var lost = 0
    /// Commands carried out.
    package var performed = 0
    /// Values of a fader that a later one took the place of before they were carried out.
    package var superseded = 0
    /// Questions that were asked again before they were answered, and dealt with together with the first.
    package var shared = 0
    /// Commands refused because too many waited, or because no session could carry them out yet.
    package var refused = 0
    /// Of `superseded` and `shared`: those that were not answered, because too many asked the same.
    package var unanswered = 0
    /// Requests and connections at the web door that were not let in: of a strange page or name, without the token, no
    /// HTTP or no WebSocket, too large, too slow, or for want of room.
    package var turnedAway = 0

    /// Nothing yet.
    package init() {}
}
