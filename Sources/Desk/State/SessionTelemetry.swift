import Geometry
import Stages

/// Meters and pose of a playing session, separate from its state. A slow reader misses some samples; later samples
/// replace them.
package struct SessionTelemetry: Codable, Sendable, Equatable {
    /// Angles of the head relative to the stage at `heardAt`, degrees: positive left, up, right ear down.
    package var yaw = 0.0, pitch = 0.0, roll = 0.0
    /// Time at which the newest rendered sound is heard, seconds of the monotonic clock; 0 during a blind comparison.
    package var heardAt = 0.0
    /// Peak levels of the input channels and the ears, dBFS; −200 for silence; empty during a blind comparison.
    package var inputs: [Double] = [], ears: [Double] = []
    /// Gain of the output limiter, dB (≤ 0), and whether a sample beyond full scale reached it since the session began.
    package var reduction = 0.0, hasClipped = false
    /// Momentary and short-term loudness of the ears, LUFS; −200 before the first reading.
    package var momentary = -200.0, shortTerm = -200.0
    /// Share of the period that rendering took, JACK's count of xruns, and count of skipped frames.
    package var load = 0.0, xruns = 0, skipped = 0
    /// Mode of head tracking, as in `SessionStatus`, and rate (Hz) and age (s) of the head tracker's samples; rate and
    /// age are nil without a tracker.
    package var mode = "static", trackerRate: Double?, trackerAge: Double?
    /// Talkers detected by the Audio Mix of a sound field; nil without a mix.
    package var talkers: [TalkerStatus]?

    /// Creates telemetry at rest.
    package init() {}
}

extension SessionTelemetry {
    /// Sets the angles of the head relative to the stage, rounded to a millionth of a degree.
    package mutating func point(to headToStage: Quaternion) {
        yaw = ParameterValue.degrees(headToStage.yaw)
        pitch = ParameterValue.degrees(headToStage.pitch)
        roll = ParameterValue.degrees(headToStage.roll)
    }
}

/// The angles of the head relative to the stage, degrees: positive left, up, right ear down.
package struct PoseAngles: Sendable {
    /// The three angles, degrees.
    package let yaw: Double, pitch: Double, roll: Double

    /// Computes the angles of a rotation.
    package init(_ headToStage: Quaternion) {
        let degrees = 180 / Double.pi
        (yaw, pitch, roll) = (headToStage.yaw * degrees, headToStage.pitch * degrees, headToStage.roll * degrees)
    }
}
