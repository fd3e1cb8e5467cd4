import AudioIO
import Desk
import Rendering
import Signal
import Stages
import Trackers

/// Source of the fast-changing values of the playing stage. Any thread may read it, without the session's actor. It has
/// only weak references to the stage.
struct TelemetrySource: Sendable {
    private weak let client: (any StageDriver)?
    private weak let renderer: StageRenderer?
    private weak let monitor: LoudnessMonitor?
    private weak let feed: HeadPoseFeed?
    private let isLogged: Bool
    /// Whether a blind comparison is in progress: values that could identify a scene are left out.
    private let isBlind: Bool

    /// Reads from the session's present stage.
    init(_ session: isolated LiveSession) {
        (client, renderer) = (session.stage.client, session.stage.assembly.renderer)
        (monitor, feed) = (session.sound.monitor, session.feed)
        isBlind = session.staging.trial != nil
        isLogged = session.playsLoggedPoses
    }

    /// Returns the present values: the pose, and with `isWhole` all others; nil if the stage is gone.
    func sample(isWhole: Bool) -> SessionTelemetry? {
        guard let client, let renderer, let feed else { return nil }
        let telemetry = renderer.telemetry() ?? Telemetry()
        var sample = SessionTelemetry()
        var pose = telemetry.headToStage
        sample.heardAt = telemetry.heardAt
        // With live tracking the pose is that of the period that starts now. The last rendered pose is older by one
        // period.
        if telemetry.isLive || telemetry.periods == 0, !isLogged, let next = feed.next { (pose, sample.heardAt) = next }
        sample.point(to: pose)
        if isBlind { sample.heardAt = 0 }
        guard isWhole else { return sample }
        if !isBlind {
            (sample.inputs, sample.ears) = telemetry.levels(ofInputs: renderer.configuration.inputCount)
            sample.talkers = renderer.programmes.lazy.compactMap(\.talkers).first
            (sample.reduction, sample.hasClipped) = (telemetry.reduction, telemetry.clippedPeriods > 0)
            (sample.momentary, sample.shortTerm) = monitor?.ears ?? (-200, -200)
            sample.load = telemetry.load(at: client.sampleRate)
        }
        (sample.xruns, sample.skipped) = (client.xrunCount, client.skippedFrames)
        let look = feed.look()
        sample.mode = isLogged ? "log" : look.mode
        (sample.trackerRate, sample.trackerAge) = (look.head?.rateHertz, look.head?.ageSeconds)
        return sample
    }
}
