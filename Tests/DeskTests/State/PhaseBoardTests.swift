import Desk
import HeadTracking
import Racks
import Testing

/// Replies to commands before there is a stage, and after the session's end.
@Suite struct PhaseBoardTests {
    /// Commands that need a stage.
    private static let questions: [SessionCommand] = [
        .picture, .state, .loudness(reset: false), .plugin(.list), .plugin(.known), .plugin(.describe("urn:a")),
        .plugin(.about("amp")),
        .record(.marker(name: nil)),
        .recentre(.yaw), .history(.undo), .start(frame: nil),
    ]

    @Test(arguments: questions) func `All else is refused before there is a stage, with the phase`(
        _ command: SessionCommand
    ) async {
        let queue = CommandQueue()
        queue.phase.take(.preparing("reading the HRTF set"))
        guard case .refused(let reason) = await queue.perform(command) else {
            Issue.record("\(command) was not refused")
            return
        }
        #expect(
            reason == "the session is starting (reading the HRTF set); ask again when its status says 'running'")
    }

    @Test(arguments: questions) func `A session that is over says so, and its status is the phase`(
        _ command: SessionCommand
    ) async {
        let queue = CommandQueue()
        queue.phase.take(.preparing("reading the HRTF set"))
        queue.close()
        guard case .refused(SessionReply.ending) = await queue.perform(command),
            case .phase(let status) = await queue.perform(.status)
        else {
            Issue.record("\(command)")
            return
        }
        #expect(status == PhaseStatus(.ending))
    }
}
