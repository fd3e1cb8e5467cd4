import AudioIO
import Signal

/// What a session hears of its driver, and what it looks at in between.
extension LiveSession {
    /// Every 50 ms: pose record, how far ahead sound is heard, what changed.
    func tick() {
        let client = stage.client
        // What is computed in the period to come: it begins within a period, and is heard a latency after its start.
        let period = client.periodFrames
        feed.setPlaybackLead(client.sampleRate.seconds(frames: period + max(period, client.playbackLatency)))
        recordMotion()
        lookAtPlayback()
    }

    /// Something happened to a driver; what is told of one that another has replaced is of no interest any more.
    func handle(_ event: JACKEvent, of client: any StageDriver) {
        guard client === stage.client else { return }
        switch event {
        case .periodChanged, .xrun: break
        case .periodTooLong(let frames, let limit):
            note("the JACK period is now \(frames) frames; silence until it is at most \(limit)")
        case .freewheel(let on): freewheeling = on
        case .rateChanged(let hertz): reopen(at: hertz)
        case .connectionsChanged: connectionsChanged()
        case .routeLost(let links): routeLost(links)
        case .serverLost(let reason):
            end(with: SessionError(.environment, "the JACK server is gone: \(reason)"))
        case .recordingFailed(let error): recordingEnded(settings.record ?? "", error.description)
        case .recordingOverflow(let dropped):
            recorderLost = dropped
            note("recording: \(dropped) frames lost so far; the disk is too slow")
        }
    }
}
