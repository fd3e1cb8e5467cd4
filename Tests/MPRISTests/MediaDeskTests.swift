import Desk
import Signal
import Stages
import Synchronization
import Testing
import Waiting

@testable import MPRIS

@Suite struct MediaDeskTests {
    /// A desk whose session answers every command with `reply`, and the commands it received.
    private final class Session: Sendable {
        let desk = SessionDesk()
        private let received = Mutex<[SessionCommand]>([])
        private let rings = Mutex(0)
        var commands: [SessionCommand] { received.withLock { $0 } }
        var wakes: Int { rings.withLock { $0 } }

        init(_ reply: @escaping @Sendable (SessionCommand) -> SessionReply = { _ in .done }) {
            desk.commands.serve { [self] command in
                received.withLock { $0.append(command) }
                return reply(command)
            }
        }

        func follow() -> MediaDesk {
            let media = MediaDesk(desk)
            media.follow { [self] in rings.withLock { $0 += 1 } }
            return media
        }
    }

    @Test func onlyWhatClientsDoNotKnowIsNews() {
        let session = Session()
        session.desk.state.enter(NowPlayingTests.file)
        let media = session.follow()
        #expect(media.takeNews() == .init(changes: [.status, .metadata, .volume, .abilities]))
        #expect(session.wakes == 1)
        // A change of the position is not signalled, because clients read the position.
        session.desk.state.enter(NowPlayingTests.file.merging(["player/seconds": .number(3)]) { $1 })
        #expect(session.wakes == 1 && media.takeNews() == .init())
        session.desk.state.enter(NowPlayingTests.file.merging(["player/paused": .isOn(true)]) { $1 })
        #expect(session.wakes == 2 && media.takeNews() == .init(changes: .status))
        // A value that no client sees wakes no thread.
        session.desk.state.enter(
            NowPlayingTests.file.merging(["player/paused": .isOn(true), "dim": .isOn(true)]) { $1 })
        #expect(session.wakes == 2)
        media.leave()
        session.desk.state.enter(NowPlayingTests.file)
        #expect(session.wakes == 2 && media.takeNews() == .init())
    }

    @Test func jumpsWithinAFileAreNewsAndAnotherFileIsNone() {
        let session = Session()
        let media = session.follow()
        func enter(_ number: Int, _ seconds: Double, hasJumped: Bool = false) {
            session.desk.player.enter(
                ("/a.wav", number, 2), seconds: seconds, duration: 60, isPaused: false, loops: true, gain: 0,
                hasJumped: hasJumped)
        }
        enter(1, 0)
        enter(1, 0.02)
        #expect(media.takeNews().jump == nil)
        enter(1, 30.5, hasJumped: true)
        #expect(media.takeNews().jump == 30.5)
        #expect(media.now.seconds == 30.5)
        enter(2, 0, hasJumped: true)
        #expect(media.takeNews().jump == nil)
        enter(2, 59)
        // The list repeats.
        enter(2, 0.01)
        #expect(media.takeNews().jump == 0.01)
        session.desk.player.leave()
        #expect(media.now.seconds == 0)
    }

    @Test func requestsWaitForTheAnswerOfTheSession() async {
        let session = Session { $0 == .preview(.skip(1)) ? .refused("no file follows") : .done }
        session.desk.state.enter(NowPlayingTests.file)
        let media = session.follow()
        let (done, refused) = await Worker.apart("bus") { (media.perform(.pause), media.perform(.next)) }
        #expect(done == nil && refused == "no file follows")
        #expect(session.commands == [.preview(.pause(true)), .preview(.skip(1))])
    }

    @Test func aResumeCountsThoughNoInterruptionHadToEnd() async {
        let session = Session { if case .playback(.endInterruption) = $0 { .refused("none has") } else { .done } }
        session.desk.state.enter(["client": .word("a"), "playback": .word("held")])
        let media = session.follow()
        #expect(await Worker.apart("bus") { media.perform(.play) } == nil)
        #expect(session.commands.last == .playback(.resume))
    }

    @Test func aSessionThatIsStartingRefusesWithItsPhase() async {
        let media = MediaDesk(SessionDesk())
        let refusal = await Worker.apart("bus") { media.perform(.volume(0.5)) }
        #expect(refusal?.contains("starting") == true)
    }
}
