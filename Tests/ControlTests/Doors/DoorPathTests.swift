import Desk
import Foundation
import Gate
import SoundFixtures
import Synchronization
import Testing
import Waiting

@testable import Control

/// Paths that a command may use, for each door.
@Suite(.timeLimit(.minutes(10))) struct DoorPathTests {
    private let scratch: Scratch
    private let desk = SessionDesk()

    init() throws {
        scratch = try Scratch()
        for folder in ["takes", "session", "elsewhere"] {
            try FileManager.default.createDirectory(atPath: scratch(folder), withIntermediateDirectories: true)
        }
        desk.commands.gate = WriteGate(recordings: scratch("takes"), session: scratch("session"))
    }

    @Test func `The socket of the user reaches further than the web, and both say why not`() async {
        desk.commands.serve { _ in .done }
        for (origin, reaches) in [(PathOrigin.network, false), (.socket, true)] {
            let sent = Mutex<[String]>([])
            let conversation = JSONConversation(
                at: desk, origin: origin, send: { lines in sent.withLock { $0 += lines } }, wake: {})
            let file = scratch("elsewhere/a.wav")
            conversation.receive(Array(#"{"id":1,"address":"record/start","arguments":"\#(file)"}"#.utf8))
            #expect(await eventually { sent.withLock { $0.count == 1 } })
            #expect(sent.withLock { $0[0].contains("done") } == reaches)
            #expect(sent.withLock { $0[0].contains("--allow-write") } != reaches)
        }
    }
}
