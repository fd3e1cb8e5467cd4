import PluginHost
import Racks
import Stages

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
    /// The values in force, by address.
    case state(SessionValues)
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
