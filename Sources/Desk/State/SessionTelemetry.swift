import Geometry
import Stages

/// What moves while a session plays, apart from its state: a reader that comes late misses some of it, and nothing is
/// lost by that.
package struct SessionTelemetry: Codable, Sendable, Equatable {
    /// Head to stage as it is heard now, degrees: left, up, right ear down.
    package var yaw = 0.0, pitch = 0.0, roll = 0.0
    /// Seconds of the monotonic clock at which what was rendered last is heard.
    package var heardAt = 0.0
    /// Peaks of the inputs and the ears, dBFS; −200 for silence.
    package var inputs: [Double] = [], ears: [Double] = []
    /// The guard's gain reduction, dB (≤ 0), and whether the ears clipped since the session began.
    package var reduction = 0.0, hasClipped = false
    /// Momentary and short-term loudness of the ears, LUFS; −200 before there is any.
    package var momentary = -200.0, shortTerm = -200.0
    /// Share of the period that rendering took, cycles lost, and frames that were skipped.
    package var load = 0.0, xruns = 0, skipped = 0
    /// How the head is followed (`tracked`, `held`, ...), and the rate (Hz) and age (s) of its tracker;
    /// nil without one.
    package var mode = "static", trackerRate: Double?, trackerAge: Double?
    /// The talkers that the Audio Mix of a sound field hears; nil where nothing is mixed.
    package var talkers: [TalkerStatus]?

    /// Nothing moves.
    package init() {}
}

extension SessionTelemetry {
    /// Takes the angles of head to stage, rounded to a millionth of a degree.
    package mutating func point(to headToStage: Quaternion) {
        yaw = ParameterValue.degrees(headToStage.yaw)
        pitch = ParameterValue.degrees(headToStage.pitch)
        roll = ParameterValue.degrees(headToStage.roll)
    }
}

/// The angles of head to stage, degrees: left, up, right ear down.
package struct PoseAngles: Sendable {
    /// Each of them.
    package let yaw: Double, pitch: Double, roll: Double

    /// Those of a rotation.
    package init(_ headToStage: Quaternion) {
        let degrees = 180 / Double.pi
        (yaw, pitch, roll) = (headToStage.yaw * degrees, headToStage.pitch * degrees, headToStage.roll * degrees)
    }
}
