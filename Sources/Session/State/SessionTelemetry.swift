import AudioIO
import Geometry
import Metering
import Rendering
import Signal

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
    /// How the head is followed (`tracked`, `held`, ...), and the rate (Hz) and age (s) of its tracker; nil without one.
    package var mode = "static", trackerRate: Double?, trackerAge: Double?
}

extension LiveSession {
    /// What moves, now.
    package func sampleTelemetry() -> SessionTelemetry {
        let (client, telemetry) = (stage.client, stage.assembly.renderer.telemetry() ?? Telemetry())
        let look = feed.look()
        let loudness = monitor?.status.ears
        let pose = telemetry.headToStage
        var sample = SessionTelemetry()
        sample.yaw = ParameterValue.degrees(pose.yaw)
        sample.pitch = ParameterValue.degrees(pose.pitch)
        sample.roll = ParameterValue.degrees(pose.roll)
        sample.heardAt = telemetry.heardAt
        sample.inputs = (0..<stage.assembly.renderer.configuration.inputCount).map {
            Self.decibels(telemetry.inputMeters[$0])
        }
        sample.ears = [Self.decibels(telemetry.outputMeters.x), Self.decibels(telemetry.outputMeters.y)]
        sample.reduction = Self.decibels(telemetry.guardMeter)
        sample.hasClipped = telemetry.clippedPeriods > 0
        sample.momentary = max(-200, loudness?.momentary ?? -200)
        sample.shortTerm = max(-200, loudness?.shortTerm ?? -200)
        let period = client.sampleRate.seconds(frames: max(1, telemetry.frames))
        sample.load = Double(telemetry.nanoseconds) * 1e-9 / period
        (sample.xruns, sample.skipped) = (client.xrunCount, client.skippedFrames)
        sample.mode = trackingMode(look)
        (sample.trackerRate, sample.trackerAge) = (look.head?.rateHertz, look.head?.ageSeconds)
        return sample
    }
}
