import Desk
import StoredProperties
import Testing

@testable import Session

/// The status of a playing session.
@Suite struct LiveStatusTests {
    @Test func `What a playing session has is in its status, with the levels of the telemetry`() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        rig.play(seconds: 0.5)
        let (status, sample) = await rig.live.both()
        try await rig.live.end()
        let names = """
            client layout hrtf programmes sampleRate period slice streamFrame jackFrame heardAt inputPeaks outputPeaks \
            controlVersion playback.state playback.left playback.right
            """
        let absent = StoredProperties.same(status, SessionStatus())
        #expect(absent.filter { names.split(separator: " ").map(String.init).contains($0) } == [])
        #expect(sample?.inputs == status.inputPeaks && sample?.ears == status.outputPeaks)
        #expect(sample?.reduction == status.gainReduction && sample?.hasClipped == status.clipped)
        #expect(sample?.mode == "static" && status.mode == "static")
    }
}

extension LiveSession {
    /// Returns the status and a sample of the telemetry in the same period.
    fileprivate func both() -> (SessionStatus, SessionTelemetry?) {
        (status(), TelemetrySource(self).sample(isWhole: true))
    }
}
