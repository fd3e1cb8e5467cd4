import Desk
import StoredProperties
import Testing

@testable import Session

/// The status of a playing session.
@Suite struct LiveStatusTests {
    @Test func `What a playing session has is in its status`() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        rig.play(seconds: 0.5)
        let status = await rig.live.status()
        try await rig.live.end()
        let absent = StoredProperties.same(status, SessionStatus())
        for name in [
            "client", "layout", "hrtf", "programmes", "sampleRate", "period", "slice", "streamFrame", "jackFrame",
            "heardAt", "inputPeaks", "outputPeaks", "playback.state", "playback.left", "playback.right",
        ] { #expect(!absent.contains(name), "\(name)") }
        #expect(status.slice == 64 && status.inputPeaks.count == 2 && status.outputPeaks.count == 2)
    }

    @Test func `Levels of telemetry and status are the same`() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        rig.play(seconds: 0.5)
        let (status, sample) = await rig.live.both()
        #expect(sample?.inputs == status.inputPeaks && sample?.ears == status.outputPeaks)
        #expect(sample?.reduction == status.gainReduction && sample?.hasClipped == status.clipped)
        #expect(sample?.mode == "static" && status.mode == "static")
        try await rig.live.end()
    }
}

extension LiveSession {
    /// Returns the status and a sample of the telemetry in the same period.
    fileprivate func both() -> (SessionStatus, SessionTelemetry?) {
        (status(), TelemetrySource(self).sample(isWhole: true))
    }
}
