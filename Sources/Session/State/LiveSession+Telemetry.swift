import AudioIO
import Desk
import HeadTracking
import Rendering
import Signal
import Stages
import Trackers

/// What moves in a session, read from the stage that plays now without asking the session: any thread, and it keeps
/// nothing of a stage that is gone.
struct TelemetrySource: Sendable {
    private weak let client: (any StageDriver)?
    private weak let renderer: StageRenderer?
    private weak let monitor: LoudnessMonitor?
    private weak let feed: HeadPoseFeed?
    private let isLogged: Bool
    /// Whether scenes are compared blind: nothing tells one from the other.
    private let isBlind: Bool

    /// What the session's present stage tells.
    init(_ session: isolated LiveSession) {
        (client, renderer) = (session.stage.client, session.stage.assembly.renderer)
        (monitor, feed) = (session.sound.monitor, session.feed)
        isBlind = session.staging.trial != nil
        isLogged = session.settings.poses != nil || session.settings.motion != nil
    }

    /// What moves, now: the pose, and with `isWhole` all else; nil where the stage is gone.
    func sample(isWhole: Bool) -> SessionTelemetry? {
        guard let client, let renderer, let feed else { return nil }
        let telemetry = renderer.telemetry() ?? Telemetry()
        var sample = SessionTelemetry()
        var pose = telemetry.headToStage
        sample.heardAt = telemetry.heardAt
        // Where the head is followed live, its pose is what the period that begins now is made for: what was rendered
        // last is as old as a period is long.
        if telemetry.isLive || telemetry.periods == 0, !isLogged, let next = feed.next { (pose, sample.heardAt) = next }
        sample.point(to: pose)
        guard isWhole else { return sample }
        if !isBlind {
            sample.inputs = (0..<renderer.configuration.inputCount).map {
                LiveSession.decibels(telemetry.inputMeters[$0])
            }
            sample.talkers = renderer.soundField?.talkers
        }
        sample.ears = [
            LiveSession.decibels(telemetry.outputMeters.x), LiveSession.decibels(telemetry.outputMeters.y),
        ]
        sample.reduction = LiveSession.decibels(telemetry.guardMeter)
        sample.hasClipped = telemetry.clippedPeriods > 0
        (sample.momentary, sample.shortTerm) = monitor?.ears ?? (-200, -200)
        let period = client.sampleRate.seconds(frames: max(1, telemetry.frames))
        sample.load = Double(telemetry.nanoseconds) * 1e-9 / period
        (sample.xruns, sample.skipped) = (client.xrunCount, client.skippedFrames)
        let look = feed.look()
        sample.mode = isLogged ? "log" : feed.head == nil ? "static" : look.status.mode.rawValue
        (sample.trackerRate, sample.trackerAge) = (look.head?.rateHertz, look.head?.ageSeconds)
        return sample
    }
}
