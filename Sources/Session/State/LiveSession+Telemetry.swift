import AudioIO
import Geometry
import Metering
import Rendering
import Signal

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
